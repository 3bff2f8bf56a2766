import type { GatewayResource } from '../../../imports/index.js';
import type { DaemonSet, Deployment, Facts, LiveDaemonSet, LiveDeployment, Owned } from '../../runtime/index.js';

/** The input of `desire`. */
export interface GatewayView extends Pick<Facts<GatewayResource>, 'resource'> {
  readonly owned: Pick<Owned<typeof Deployment | typeof DaemonSet>, 'one'>;
}

/** True if a proxy is available on every node where one is desired. */
export function isOnEveryNode(daemonSet: LiveDaemonSet | undefined): boolean {
  const { desiredNumberScheduled = 0, numberAvailable = 0 } = daemonSet?.status ?? {};
  return isEnough(daemonSet, numberAvailable, desiredNumberScheduled);
}

/** True if all desired replicas are available. */
export function isDeployed(deployment: LiveDeployment | undefined): boolean {
  return isEnough(deployment, deployment?.status?.availableReplicas ?? 0, deployment?.spec.replicas ?? 1);
}

/** True if at least one proxy and all desired proxies are available, according to a status of the current spec. */
function isEnough(workload: LiveDaemonSet | LiveDeployment | undefined, available: number, desired: number): boolean {
  const isCounted = workload !== undefined && workload.status?.observedGeneration === workload.metadata.generation;
  return isCounted && available > 0 && available >= desired;
}
