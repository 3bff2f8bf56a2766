import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { type Installation, operatorPorts } from './installation.js';

/**
 * The Service for the metrics of the replicas. It includes replicas that are not ready, because they expose metrics
 * too.
 */
export function metricsService(installation: Installation): ManifestOf<k8s.KubeServiceProps> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(installation, `${installation.name}-metrics`),
    spec: {
      publishNotReadyAddresses: true,
      selector: installation.labels,
      ports: [{ name: 'metrics', port: operatorPorts.metrics, protocol: 'TCP', targetPort: 'metrics' }],
    },
  };
}
