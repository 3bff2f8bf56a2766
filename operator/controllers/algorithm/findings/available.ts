import type { LiveDeployment, Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { hasNoReadyReplica, noneReadyMessage } from '../hindrance/hindrance.js';
import { rolloutOf } from '../versions/rollout.js';

/**
 * Whether the Algorithm can answer requests.
 * @param hindrance why Pods are not ready, empty if no cause is known
 */
export function availableOf(
  deployment: LiveDeployment | undefined,
  hindrance: string,
): Mark<keyof (typeof conditions)['Available']> {
  if (deployment?.spec.replicas === 0) return { reason: 'ScaledToZero' };
  if (deployment && !hasNoReadyReplica(deployment)) return { reason: 'Serving' };
  if (rolloutOf(deployment).reason === 'FailedCreate')
    return { reason: 'NoReadyReplica', message: 'Pods cannot be created, and no replica is ready' };
  return { reason: 'NoReadyReplica', ...(hindrance !== '' && { message: noneReadyMessage(hindrance) }) };
}
