import type { KafkaClusterResource } from '../../imports/index.js';
import { kafkaObjectNames, listenerCertificateName } from '../../src/index.js';
import type { KafkaAddress } from './access.js';
import type { ClusterPart } from './cluster-part.js';

type Listener = KafkaClusterResource['spec']['listeners'][number];
type Named = Pick<ClusterPart, 'name' | 'namespace'>;

/**
 * The listener with which clients that log in this way connect, preferably within the Kubernetes cluster. Undefined if the
 * cluster has none.
 */
export function listenerFor(
  { listeners }: Pick<ClusterPart, 'listeners'>,
  authentication: Listener['authentication'],
): Listener | undefined {
  const all = listeners.filter((one) => one.authentication === authentication);
  return all.find(({ external }) => external === undefined) ?? all[0];
}

/** Where clients from within the Kubernetes cluster find the brokers. */
export function bootstrapAddress({ name, namespace }: Named, { port }: Pick<Listener, 'port'>): KafkaAddress {
  return { host: `${kafkaObjectNames(name).bootstrap}.${namespace}.svc`, port };
}

/** The addresses of a listener for clients, as in `bootstrap.servers`. */
export function bootstrapServers(
  cluster: Named & Pick<ClusterPart, 'addresses'>,
  listener: Pick<Listener, 'name' | 'port' | 'external'>,
): string {
  const { host, port } = bootstrapAddress(cluster, listener);
  return (listener.external && cluster.addresses[listener.name]) ?? `${host}:${port}`;
}

/** The Secret with the CA certificates of a listener that has an issuer of its own. */
export function otherIssuerSecret({ name: cluster }: Named, { name, tls }: Listener): string | undefined {
  return tls.enabled && tls.issuer ? listenerCertificateName(cluster, name) : undefined;
}
