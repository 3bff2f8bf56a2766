import { type Credential, kafkaLoginData, kafkaObjectNames } from '../../../src/index.js';
import type { KafkaAccess } from '../../kafka/access.js';
import { accessOf, type ClusterPart } from '../../kafka/cluster-part.js';
import { bootstrapAddress, bootstrapServers, listenerFor, otherIssuerSecret } from '../../kafka/listeners.js';
import type { Rights } from '../../kafka/user-rights.js';
import type { Acl, UserQuestion } from '../../kafka/users.js';
import type { StableRotation } from './declarations.js';

/** Where the two users of a rotation are, and what they may do. */
export interface KafkaTarget {
  /** Undefined while the cluster has no brokers. */
  readonly access: KafkaAccess | undefined;
  readonly cluster: ClusterPart;
  /** Where a login is tried. */
  readonly tried: Pick<NonNullable<UserQuestion['login']>, 'address' | 'tls'>;
  /** The rights of the KafkaUser, and the mark. */
  readonly rights: Rights;
}

/** Why a rotation cannot have users in Kafka. */
export interface KafkaProblem {
  readonly reason: 'KafkaUserNotFound' | 'KafkaUserUnsuitable' | 'KafkaClusterNotFound';
  readonly message: string;
}

/**
 * An ACL that names the rotation of a user, and gives it no right. Kafka has no comments, so users without this ACL are
 * never changed.
 */
export function kafkaMark({ metadata }: StableRotation['resource']): Acl {
  const name = `reconstruct.dev/SecretRotation/${metadata.namespace}/${metadata.name}`;
  return { resource: 'Group', name, pattern: 'Literal', operation: 'Describe', permission: 'Deny' };
}

/** The name of the KafkaCluster that has the users, also once the KafkaUser is deleted. */
export function kafkaClusterName({ resource, reads }: StableRotation): string | undefined {
  return resource.status?.kafkaCluster ?? reads.kafkaUser?.cluster;
}

/** The KafkaCluster that has the users. */
export function kafkaCluster(rotation: StableRotation): ClusterPart | undefined {
  const name = kafkaClusterName(rotation);
  return rotation.reads.kafkaClusters.find((cluster) => cluster.name === name);
}

/** Where the users are, or why there are none. Undefined for another source. */
export function kafkaTarget(rotation: StableRotation): KafkaTarget | KafkaProblem | undefined {
  const { resource, reads } = rotation;
  const { kafkaUser: source } = resource.spec.source;
  if (!source) return undefined;
  const { kafkaUser: user } = reads;
  if (!user) {
    const message = `The namespace has no KafkaUser ${source.name}; create it, or name another one in a new SecretRotation`;
    return { reason: 'KafkaUserNotFound', message };
  }
  const unsuitable = (why: string) =>
    ({ reason: 'KafkaUserUnsuitable', message: `KafkaUser ${source.name} ${why}` }) as const;
  if (user.authentication !== 'Scram')
    return unsuitable(
      'has a certificate and no password; name a KafkaUser with authentication Scram in a new SecretRotation',
    );
  const name = kafkaClusterName(rotation);
  if (user.cluster !== name)
    return unsuitable(
      `belongs to KafkaCluster ${user.cluster}, and the users of this rotation to ${name}; create another SecretRotation`,
    );
  const cluster = kafkaCluster(rotation);
  if (!cluster) {
    const message = `The namespace has no KafkaCluster ${name}; create it`;
    return { reason: 'KafkaClusterNotFound', message };
  }
  // A password works with each listener, but which authorities another issuer has is not known to the source.
  const listeners = cluster.listeners.filter((one) => otherIssuerSecret(cluster, one) === undefined);
  const listener = listenerFor({ listeners }, 'Scram');
  if (!listener)
    return unsuitable(
      `cannot be tried: KafkaCluster ${name} has no listener with authentication Scram and the issuer of the cluster; add one to its spec.listeners`,
    );
  return {
    ...{ access: accessOf(cluster), cluster },
    tried: { address: bootstrapAddress(cluster, listener), tls: listener.tls.enabled },
    rights: { ...user.rights, acls: [kafkaMark(resource), ...user.rights.acls] },
  };
}

/**
 * The data of the Secret of clients. What is not known stays as it is.
 * @param live the decoded data of the Secret
 * @returns undefined if it cannot be written
 */
export function kafkaData(credential: Credential, rotation: StableRotation, live: Credential): Credential | undefined {
  const { username = '', password = '' } = credential;
  const server = serverOf(rotation) ?? earlierServer(live);
  return server && kafkaLoginData({ username, password, ...server });
}

/** The first listener with passwords, as in the Secret of the KafkaUser. Undefined while its authority is unknown. */
function serverOf(rotation: StableRotation) {
  const cluster = kafkaCluster(rotation);
  const listener = cluster && listenerFor(cluster, 'Scram');
  if (!cluster || !listener) return undefined;
  const server = { bootstrapServers: bootstrapServers(cluster, listener), hasTls: listener.tls.enabled };
  if (!listener.tls.enabled || otherIssuerSecret(cluster, listener) !== undefined) return server;
  const { nodeCertificate } = kafkaObjectNames(cluster.name);
  const trusted = rotation.reads.kafkaAuthorities.find(({ name }) => name === nodeCertificate)?.trusted;
  return trusted ? { ...server, trusted } : undefined;
}

function earlierServer(live: Credential) {
  const bootstrapServers = live['bootstrap.servers'];
  if (!bootstrapServers) return undefined;
  const hasTls = live['client.properties']?.includes('security.protocol=SASL_SSL') ?? true;
  return { bootstrapServers, hasTls, trusted: live['ca.crt'] };
}
