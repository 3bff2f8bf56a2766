import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import { topologySpread } from '../workload/topology-spread.js';
import { type ProxyIdentity, proxyPod } from './proxy-pod.js';

/** What may differ from one cluster to another. */
export interface ProxyPods {
  readonly image: string;
  readonly replicas: number;
}

/** The proxies of a namespace's Gateway: on two nodes, in two zones if there are, and never fewer while they are replaced. */
export function proxyDeployment(
  identity: ProxyIdentity,
  { image, replicas }: ProxyPods,
): ManifestOf<k8s.KubeDeploymentProps> {
  const template = proxyPod(identity, image);
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
          // Two on one node would be lost with it: rather one of them waits.
          topologySpreadConstraints: [
            topologySpread(identity, 'zone'),
            { ...topologySpread(identity, 'node'), whenUnsatisfiable: 'DoNotSchedule' },
          ],
        },
      },
    },
  };
}
