import type { LiveDeployment, Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';

/** Whether the Algorithm can answer requests. */
export function availableOf(deployment: LiveDeployment | undefined): Mark<keyof (typeof conditions)['Available']> {
  if (deployment?.spec.replicas === 0) return { reason: 'ScaledToZero' };
  return { reason: (deployment?.status?.availableReplicas ?? 0) > 0 ? 'Serving' : 'NoReadyReplica' };
}
