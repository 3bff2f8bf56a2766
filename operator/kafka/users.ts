import type { Port } from '../runtime/index.js';
import type { KafkaAccess, KafkaAddress } from './access.js';

/** A rule of the authorizer for one user. Hosts are not restricted. */
export interface Acl {
  readonly resource: 'Topic' | 'Group' | 'TransactionalId' | 'Cluster';
  /** The name of the resource, or its prefix. `*` is all of them. That of a cluster is `kafka-cluster`. */
  readonly name: string;
  readonly pattern: 'Literal' | 'Prefixed';
  /** As in the documentation of Kafka, such as `Read` or `IdempotentWrite`. */
  readonly operation: string;
  readonly permission: 'Allow' | 'Deny';
}

/**
 * An ACL that marks a user as one that the operator created, and gives it no right. Kafka has no comments. The mark is in the
 * metadata with the login, so it returns with the volumes, however the resource and its KafkaCluster were deleted.
 * @param owner the kind, and the name if the kind has several users
 */
export function loginMark(owner: string): Acl {
  const name = `${markPrefix}${owner}`;
  return { resource: 'Group', name, pattern: 'Literal', operation: 'Describe', permission: 'Deny' };
}

/** The prefix of the names in marks. */
export const markPrefix = 'reconstruct.dev/';

/** The mark of the user of a KafkaUser. */
export const userMark = loginMark('KafkaUser');

/**
 * ACLs with which a user can do nothing: a denial outranks each other ACL, also of connections that are open. A user of the
 * operator has no ACLs for other types of resources, and without one Kafka refuses them.
 */
export const denials: readonly Acl[] = (
  [
    ['Topic', '*'],
    ['Group', '*'],
    ['TransactionalId', '*'],
    ['Cluster', 'kafka-cluster'],
  ] as const
).map(([resource, name]) => ({ resource, name, pattern: 'Literal', operation: 'All', permission: 'Deny' }));

/** Limits of one user. */
export interface Quotas {
  readonly producerByteRate?: number;
  readonly consumerByteRate?: number;
  /** Share of the time of request threads, in percent. */
  readonly requestPercentage?: number;
}

/** The keys of a login in a Secret with several of them. */
export interface LoginKeys {
  /** The value of this key must be the user. */
  readonly username: string;
  readonly password: string;
}

/** Asks for one user, by its principal without `User:`. */
export interface UserQuestion extends KafkaAccess {
  readonly user: string;
  /**
   * Where a login is tried with the password in the Secret that comes with the question. Its key `ca.crt` has the
   * authority of the listener, if that is another one than the operator's. Absent for users with certificates.
   */
  readonly login?: {
    readonly address: KafkaAddress;
    readonly hash: string;
    /** @default - the key `password`, of whatever user */
    readonly keys?: LoginKeys;
    /** Whether the listener has TLS. @default true */
    readonly tls?: boolean;
  };
}

/** A user in Kafka. */
export interface UserAnswer {
  /** It has a SCRAM-SHA-512 credential. */
  readonly hasCredential: boolean;
  /** Whether the password of the question works. Absent if it was not tried. */
  readonly accepts?: boolean;
  readonly acls: readonly Acl[];
  readonly quotas: Quotas;
}

/** Changes one user. */
export type UserRequest = KafkaAccess & { readonly user: string } & (
    | /** Sets the password of the Secret that comes with the request. */
    {
        readonly act: 'setPassword';
        readonly hash: string;
        /** @default - the key `password`, of whatever user */
        readonly keys?: LoginKeys;
      }
    | { readonly act: 'deletePassword' }
    /** Adds rules before it removes others. */
    | { readonly act: 'setAcls'; readonly add: readonly Acl[]; readonly remove: readonly Acl[] }
    /** Removes the quotas that are absent. */
    | { readonly act: 'setQuotas'; readonly quotas: Quotas }
  );

/** The users of Kafka clusters. */
export const kafkaUsers: Port<UserQuestion, UserAnswer, UserRequest> = {
  ...{ name: 'reconstruct/kafka-users', formerName: 'kafka-users', secrets: 'any' },
  // A person may have chosen the password, and readers of Events could try guesses on its hash.
  unlogged: ['hash'],
  visibleWithin: 5_000,
};
