import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { hostTaken } from '../hosts/host-claims.js';
import type { AlgorithmView } from '../view.js';

/** Whether the gateway may serve the host. The references are facts of this assessment only if a host is set. */
export function hostAcceptedOf(
  view: Pick<AlgorithmView, 'resource' | 'reads'>,
): Mark<keyof (typeof conditions)['HostAccepted']> | undefined {
  if (view.resource.spec.host === undefined) return undefined;
  const message = hostTaken(view.resource, view.reads);
  return message === undefined ? { reason: 'Accepted' } : { reason: 'HostTaken', message };
}
