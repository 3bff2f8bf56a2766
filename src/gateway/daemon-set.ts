import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { type ProxyContainer, type ProxyIdentity, proxyPod } from './proxy-pod.js';

/**
 * The proxies of the Gateway of a namespace, one on each node. A proxy is replaced only after its successor is ready.
 */
export function proxyDaemonSet(identity: ProxyIdentity, container: ProxyContainer): ManifestOf<k8s.KubeDaemonSetProps> {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metadataOf(identity),
    spec: {
      selector: { matchLabels: identity.labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: proxyPod(identity, container),
    },
  };
}
