import { type Credential, kafkaLoginData, kafkaObjectNames } from '../../../../src/index.js';
import { bootstrapServers, listenerFor, otherIssuerSecret } from '../../../kafka/listeners.js';
import type { KafkaSource } from './source.js';
import { kafkaCluster } from './target.js';

/**
 * The data of the Secret of clients. What is not known stays as it is.
 * @param live the decoded data of the Secret
 * @returns undefined if it cannot be written
 */
export function kafkaData(credential: Credential, source: KafkaSource, live: Credential): Credential | undefined {
  const { username = '', password = '' } = credential;
  const server = serverOf(source) ?? earlierServer(live);
  return server && kafkaLoginData({ username, password, ...server });
}

/** The first listener with passwords, as in the Secret of the KafkaUser. Undefined while its authority is unknown. */
function serverOf(source: KafkaSource) {
  const cluster = kafkaCluster(source);
  const listener = cluster && listenerFor(cluster, 'Scram');
  if (!cluster || !listener) return undefined;
  const server = { bootstrapServers: bootstrapServers(cluster, listener), hasTls: listener.tls.enabled };
  if (!listener.tls.enabled || otherIssuerSecret(cluster, listener) !== undefined) return server;
  const { nodeCertificate } = kafkaObjectNames(cluster.name);
  const trusted = source.reads.kafkaAuthorities.find(({ name }) => name === nodeCertificate)?.trusted;
  return trusted ? { ...server, trusted } : undefined;
}

function earlierServer(live: Credential) {
  const bootstrapServers = live['bootstrap.servers'];
  if (!bootstrapServers) return undefined;
  const hasTls = live['client.properties']?.includes('security.protocol=SASL_SSL') ?? true;
  return { bootstrapServers, hasTls, trusted: live['ca.crt'] };
}
