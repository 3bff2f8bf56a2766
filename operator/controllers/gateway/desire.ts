import type { Construct } from 'constructs';
import type { GatewayResource } from '../../../imports/index.js';
import { GatewayProxies, type ProxyWorkload, type StatedResources } from '../../../src/index.js';
import {
  DaemonSet,
  Deployment,
  type Facts,
  type LiveDaemonSet,
  type LiveDeployment,
  type Owned,
} from '../../runtime/index.js';

/** The facts that the Gateway controller depends on. */
export interface ProxyFacts extends Pick<Facts<GatewayResource>, 'resource'> {
  readonly owned: Pick<Owned<typeof Deployment | typeof DaemonSet>, 'one'>;
}

/** Settings of the proxies, which are the same for all Gateways. */
export interface ProxySettings {
  readonly workload: ProxyWorkload;
  /** Requests and limits of a proxy. @default - those of {@link GatewayProxies} */
  readonly resources?: StatedResources | undefined;
}

/** Renders the proxies of a Gateway of this package's class. A former workload stays until the desired one is ready. */
export function desire(
  scope: Construct,
  { resource, owned }: ProxyFacts,
  { workload: wanted, resources }: ProxySettings,
): void {
  const [deployment, daemonSet] = [owned.one(Deployment), owned.one(DaemonSet)];
  const [leaving, isThere] =
    wanted === 'DaemonSet' ? [deployment, isEverywhere(daemonSet)] : [daemonSet, isDeployed(deployment)];
  const workloads: readonly ProxyWorkload[] = leaving && !isThere ? ['Deployment', 'DaemonSet'] : [wanted];
  new GatewayProxies(scope, 'proxies', { gateway: resource.metadata.name, workloads, resources });
}

/** Whether a proxy is available on every node where one is desired. */
function isEverywhere(daemonSet: LiveDaemonSet | undefined): boolean {
  const { desiredNumberScheduled = 0, numberAvailable = 0 } = daemonSet?.status ?? {};
  return isEnough(daemonSet, numberAvailable, desiredNumberScheduled);
}

/** Whether all desired replicas are available. */
function isDeployed(deployment: LiveDeployment | undefined): boolean {
  return isEnough(deployment, deployment?.status?.availableReplicas ?? 0, deployment?.spec.replicas ?? 1);
}

/** Whether at least one proxy and all desired proxies are available, according to a status of the current spec. */
function isEnough(workload: LiveDaemonSet | LiveDeployment | undefined, available: number, wanted: number): boolean {
  const isCounted = workload !== undefined && workload.status?.observedGeneration === workload.metadata.generation;
  return isCounted && available > 0 && available >= wanted;
}
