import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { topologySpread } from '../workload/topology-spread.js';
import { type ProxyContainer, type ProxyIdentity, proxyPod } from './proxy-pod.js';

/** Settings of the proxies that can differ between clusters. */
export interface ProxyPods extends ProxyContainer {
  readonly replicas: number;
}

/** The proxies of the Gateway of a namespace, spread over nodes and zones. A rollout never reduces their number. */
export function proxyDeployment(
  identity: ProxyIdentity,
  { replicas, ...container }: ProxyPods,
): ManifestOf<k8s.KubeDeploymentProps> {
  const template = proxyPod(identity, container);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(identity),
    spec: {
      replicas,
      selector: { matchLabels: identity.labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        ...template,
        spec: {
          ...template.spec,
          // Two on one node would be lost together, so one of them waits instead.
          topologySpreadConstraints: [
            topologySpread(identity, 'zone'),
            { ...topologySpread(identity, 'node'), whenUnsatisfiable: 'DoNotSchedule' },
          ],
        },
      },
    },
  };
}
