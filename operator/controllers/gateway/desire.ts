import type { Construct } from 'constructs';
import type { GatewayResource } from '../../../imports/index.js';
import { GatewayProxies, type ProxyWorkload } from '../../../src/index.js';
import {
  DaemonSet,
  Deployment,
  type Facts,
  type LiveDaemonSet,
  type LiveDeployment,
  type Owned,
} from '../../runtime/index.js';

/** What the controller of Gateways looks at. */
export interface ProxyFacts extends Pick<Facts<GatewayResource>, 'resource'> {
  readonly owned: Pick<Owned<typeof Deployment | typeof DaemonSet>, 'one'>;
}

/** What a Gateway of this package's class should be served by. What served it until now stays until the next is there. */
export function desire(scope: Construct, { resource, owned }: ProxyFacts, wanted: ProxyWorkload): void {
  const [deployment, daemonSet] = [owned.one(Deployment), owned.one(DaemonSet)];
  const [leaving, isThere] =
    wanted === 'DaemonSet' ? [deployment, isEverywhere(daemonSet)] : [daemonSet, isDeployed(deployment)];
  const workloads: readonly ProxyWorkload[] = leaving && !isThere ? ['Deployment', 'DaemonSet'] : [wanted];
  new GatewayProxies(scope, 'proxies', { gateway: resource.metadata.name, workloads });
}

/** Whether each node that is to have one has one that takes requests. */
function isEverywhere(daemonSet: LiveDaemonSet | undefined): boolean {
  const { desiredNumberScheduled = 0, numberAvailable = 0 } = daemonSet?.status ?? {};
  return isEnough(daemonSet, numberAvailable, desiredNumberScheduled);
}

/** Whether all of its replicas take requests. */
function isDeployed(deployment: LiveDeployment | undefined): boolean {
  return isEnough(deployment, deployment?.status?.availableReplicas ?? 0, deployment?.spec.replicas ?? 1);
}

/** Whether as many take requests as are wanted, and one at least, and both were counted after its spec had changed. */
function isEnough(workload: LiveDaemonSet | LiveDeployment | undefined, available: number, wanted: number): boolean {
  const isCounted = workload !== undefined && workload.status?.observedGeneration === workload.metadata.generation;
  return isCounted && available > 0 && available >= wanted;
}
