import type { SecretRotationResource } from '../../../../imports/index.js';
import type { KafkaAccess } from '../../../kafka/access.js';
import { accessOf, type ClusterPart } from '../../../kafka/cluster-part.js';
import { bootstrapAddress, listenerFor, otherIssuerSecret } from '../../../kafka/listeners.js';
import type { Rights } from '../../../kafka/user-rights.js';
import { type Acl, loginMark, type UserQuestion } from '../../../kafka/users.js';
import type { KafkaSource } from './source.js';

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
 * The mark of the users of a rotation. Users without it are never changed.
 */
export function kafkaMark({ metadata }: SecretRotationResource): Acl {
  return loginMark(`SecretRotation/${metadata.namespace}/${metadata.name}`);
}

/** The name of the KafkaCluster that has the users, also once the KafkaUser is deleted. */
export function kafkaClusterName({ resource, reads }: KafkaSource): string | undefined {
  return resource.status?.kafkaCluster ?? reads.kafkaUser?.cluster;
}

/** The KafkaCluster that has the users. */
export function kafkaCluster(source: KafkaSource): ClusterPart | undefined {
  const name = kafkaClusterName(source);
  return source.reads.kafkaClusters.find((cluster) => cluster.name === name);
}

/** Where the users are, or why there are none. Undefined for another source. */
export function kafkaTarget(source: KafkaSource): KafkaTarget | KafkaProblem | undefined {
  const { resource, reads } = source;
  const { kafkaUser: stated } = resource.spec.source;
  if (!stated) return undefined;
  const { kafkaUser: user } = reads;
  if (!user) {
    const message = `The namespace has no KafkaUser ${stated.name}; create it, or name another one in a new SecretRotation`;
    return { reason: 'KafkaUserNotFound', message };
  }
  const unsuitable = (why: string) =>
    ({ reason: 'KafkaUserUnsuitable', message: `KafkaUser ${stated.name} ${why}` }) as const;
  if (user.authentication !== 'Scram')
    return unsuitable(
      'has a certificate and no password; name a KafkaUser with authentication Scram in a new SecretRotation',
    );
  const name = kafkaClusterName(source);
  if (user.cluster !== name)
    return unsuitable(
      `belongs to KafkaCluster ${user.cluster}, and the users of this rotation to ${name}; create another SecretRotation`,
    );
  const cluster = kafkaCluster(source);
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
