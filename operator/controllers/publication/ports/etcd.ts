import type { Port } from '../../../runtime/index.js';

/** An etcd of version 3.4 or later. */
export interface EtcdServers {
  /** URLs for clients of its members, such as `https://10.0.0.5:2379`. They are asked in this order until one answers. */
  readonly endpoints: readonly string[];
}

/** A part of the keys of an etcd. */
export interface EtcdKeysQuestion extends EtcdServers {
  /** The key, and all keys below it with a slash between, are asked for. */
  readonly key: string;
  /** Another key that is asked for, such as the one that has the owner. */
  readonly ownerKey: string;
}

/** The keys as they were at one moment, read through the quorum. */
export interface EtcdKeysAnswer {
  /** Values by their keys, in alphabetical order. At most 1,000: a question with more fails. */
  readonly values: Readonly<Record<string, string>>;
  /** The value of `ownerKey`. @default - it does not exist */
  readonly owner?: string;
}

/** What must hold of a key when etcd applies a request. */
export type EtcdKeyCondition =
  | { readonly key: string; readonly is: 'absent' }
  | { readonly key: string; readonly is: 'equal'; readonly value: string };

/** A transaction, which etcd applies whole or not at all. At most 128 operations, as etcd's own default has it. */
export interface EtcdKeysRequest extends EtcdServers {
  readonly requires: readonly EtcdKeyCondition[];
  /** Values by their keys. */
  readonly put?: Readonly<Record<string, string>>;
  /** Keys. One that does not exist is no error. */
  readonly delete?: readonly string[];
}

/**
 * Keys of an etcd, such as those that the plug-in `etcd` of CoreDNS reads. A call fails as `retryable` if a condition does
 * not hold: then ask again, and send what follows from the answer. A question or request may name a Secret with the keys
 * `ca.crt`, `tls.crt` and `tls.key`, and `username` and `password`. All are optional.
 * @see https://coredns.io/plugins/etcd
 */
export const etcdKeys: Port<EtcdKeysQuestion, EtcdKeysAnswer, EtcdKeysRequest> = {
  name: 'reconstruct/etcd-keys',
  secrets: 'any',
  visibleWithin: 0,
};
