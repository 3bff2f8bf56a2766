import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { hasMetricsPort } from './ports.js';

const httpPort: Plain<k8s.ServicePort> = { name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' };

/** Not the pod's own number: that may be 80, which is taken. */
const metricsServicePort: Plain<k8s.ServicePort> = {
  name: 'metrics',
  port: 9090,
  protocol: 'TCP',
  targetPort: 'metrics',
};

/** The address of an Algorithm: `http://<name>`. */
export function service(blueprint: Blueprint): ManifestOf<k8s.KubeServiceProps> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(blueprint),
    spec: {
      selector: blueprint.labels,
      ports: hasMetricsPort(blueprint.spec) ? [httpPort, metricsServicePort] : [httpPort],
    },
  };
}
