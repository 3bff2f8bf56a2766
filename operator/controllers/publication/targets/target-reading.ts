import type { NamesRequest } from '../../../dns/dns-names.js';
import type { EtcdKeysRequest } from '../ports/etcd.js';
import type { HaproxyRequest } from '../ports/haproxy.js';
import type { WebhookRequest } from '../ports/webhook.js';

/** A change of a target, for its port. */
export type TargetRequest =
  | { readonly type: 'dns'; readonly request: NamesRequest }
  | { readonly type: 'webhook'; readonly request: WebhookRequest }
  | { readonly type: 'haproxy'; readonly request: HaproxyRequest }
  | { readonly type: 'etcd'; readonly request: EtcdKeysRequest };

/** A server of HAProxy that gets no new sessions. */
export interface Draining {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What a target has, and how it becomes what is wanted. */
export interface TargetReading {
  /** Records, servers or keys of the publication that the target has. */
  readonly records: number;
  /** What differs from what is wanted, for people. */
  readonly differences: readonly string[];
  /** What others own, for people, with the owner. */
  readonly blocked: readonly string[];
  /** What cannot be published, for people. */
  readonly failed: readonly string[];
  /** What is to be sent. Undefined if there is nothing to change. */
  readonly request?: TargetRequest | undefined;
  /** The claimed names of which the target still has something of the publication. */
  readonly held: readonly string[];
  /** Servers of HAProxy that get no new sessions. */
  readonly draining?: readonly Draining[] | undefined;
  /** Milliseconds since 1970: when the next change is due, if nothing else happens. */
  readonly nextAt?: number | undefined;
}

/** What a publication may write. */
export interface Permission {
  /** False if nothing may be deleted. */
  readonly mayDelete: boolean;
  /** The owner whose records a person lets the publication take over, exactly, or `unowned`. */
  readonly takeOver?: string | undefined;
}

/** The value of the annotation that takes over records without an owner. */
export const unowned = 'unowned';
