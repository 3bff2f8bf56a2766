import type { Construct } from 'constructs';
import { GatewayProxies, type ProxyWorkload, type StatedResources } from '../../../src/index.js';
import { DaemonSet, Deployment } from '../../runtime/index.js';
import { type GatewayView, isDeployed, isOnEveryNode } from './view.js';

/** Settings of the proxies, which are the same for all Gateways. */
export interface ProxySettings {
  readonly workload: ProxyWorkload;
  /** Requests and limits of a proxy. @default - those of {@link GatewayProxies} */
  readonly resources?: StatedResources | undefined;
  /** The image of a proxy. @default - that of {@link GatewayProxies} */
  readonly image?: string;
}

/** Renders the proxies of a Gateway of this package's class. A former workload stays until the desired one is ready. */
export function desire(
  scope: Construct,
  { resource, owned }: GatewayView,
  { workload: desired, ...settings }: ProxySettings,
): void {
  const [deployment, daemonSet] = [owned.one(Deployment), owned.one(DaemonSet)];
  const [former, isReady] =
    desired === 'DaemonSet' ? [deployment, isOnEveryNode(daemonSet)] : [daemonSet, isDeployed(deployment)];
  const workloads: readonly ProxyWorkload[] = former && !isReady ? ['Deployment', 'DaemonSet'] : [desired];
  new GatewayProxies(scope, 'proxies', { gateway: resource.metadata.name, workloads, ...settings });
}
