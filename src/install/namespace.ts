import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { objectLabels } from '../workload/identity.js';
import type { Installation } from './installation.js';

/** The namespace of an operator. It enforces the Pod Security level "restricted". */
export function namespace(installation: Installation): ManifestOf<k8s.KubeNamespaceProps> {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: installation.namespace,
      labels: { ...objectLabels(installation), 'pod-security.kubernetes.io/enforce': 'restricted' },
    },
  };
}
