import { sentence } from '../../../members/index.js';
import type { LiveDeployment, Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';

/**
 * Whether the Algorithm can answer requests.
 * @param hindrance why Pods are not ready, empty if no cause is known
 */
export function availableOf(
  deployment: LiveDeployment | undefined,
  hindrance: string,
): Mark<keyof (typeof conditions)['Available']> {
  if (deployment?.spec.replicas === 0) return { reason: 'ScaledToZero' };
  if ((deployment?.status?.availableReplicas ?? 0) > 0) return { reason: 'Serving' };
  const message = sentence(`${hindrance}, so no replica is ready`);
  return { reason: 'NoReadyReplica', ...(hindrance !== '' && { message }) };
}
