import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';

/** The Service of the proxies. Requests from outside the cluster enter here, for example from a load balancer. */
export function proxyService(identity: Identity): ManifestOf<k8s.KubeServiceProps> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(identity),
    spec: {
      selector: identity.labels,
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }],
    },
  };
}
