import type { k8s } from 'cdk8s-plus-27';
import { type Front, frontPort, proxyLabels } from '../gateway/front.js';
import type { ManifestOf, Plain } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { hasMetricsPort } from './ports.js';

/** The port of every Service of an Algorithm. */
export const servicePort = 80;

const httpPort: Plain<k8s.ServicePort> = { name: 'http', port: servicePort, protocol: 'TCP', targetPort: 'http' };

/** A fixed number, because the port of the Pod can be 80, which the Service already uses. */
const metricsServicePort: Plain<k8s.ServicePort> = {
  name: 'metrics',
  port: 9090,
  protocol: 'TCP',
  targetPort: 'metrics',
};

/**
 * The address of an Algorithm: `http://<name>`. It selects the Pods, or the proxies of the gateway in front of them.
 */
export function service(blueprint: Blueprint, front?: Front): ManifestOf<k8s.KubeServiceProps> {
  if (!front) return podsService(blueprint, blueprint.name);
  const spec: NearbySpec = {
    selector: proxyLabels(front.gateway),
    ports: [{ ...httpPort, targetPort: frontPort(front) }],
    ...(front.onEachNode && { trafficDistribution: 'PreferSameNode' }),
  };
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(blueprint), spec };
}

/**
 * A field that is newer than the types.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#traffic-distribution
 */
type NearbySpec = Plain<k8s.ServiceSpec> & { readonly trafficDistribution?: 'PreferSameNode' };

/** A Service for the Pods of one version, with or without a gateway in front of them. */
export function podsService(blueprint: Blueprint, name: string): ManifestOf<k8s.KubeServiceProps> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(blueprint, name),
    spec: {
      selector: blueprint.labels,
      ports: hasMetricsPort(blueprint.spec) ? [httpPort, metricsServicePort] : [httpPort],
    },
  };
}
