import type { PolicyRule, Port } from '../../../runtime/index.js';
import type { CandidateIdentity } from './roles.js';

/**
 * The annotation of a Lease that a launcher writes when it releases the Lease: {@link LeaseRelease} as JSON. It belongs to
 * the Lease whose `holderIdentity` is empty, and is removed when the next leader is elected.
 */
export const releaseAnnotation = 'reconstruct.dev/leader-release';

/** Why and with what a launcher has released the Lease. Writes were stopped and clients closed before. */
export interface LeaseRelease {
  readonly by: CandidateIdentity;
  readonly term: number;
  /** `Crashed`: the application ended by itself. `Fenced`: a role of a higher term, or `none`, was obeyed. */
  readonly reason: 'Shutdown' | 'Handover' | 'Crashed' | 'Unresponsive' | 'Fenced';
  /** The history and the last offset of the application. Absent after a crash. */
  readonly replicationId?: string;
  readonly offset?: number;
  /** Who has everything up to `offset`. Absent if nobody was seen to have it. */
  readonly to?: CandidateIdentity;
}

/** Asks who holds a Lease. */
export interface LeaseQuestion {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The state of a Lease. It does not change with renewals, so an answer wakes nobody while a leader renews.
 *
 * `held`: renewed within its duration, as observed by this process. A new process, and a Lease that it sees for the first
 * time, count from the first observation, never from a time that others wrote.
 * `expired`: unchanged for its duration by this process's own monotonic clock.
 * `released`: it has no holder. `absent`: the Lease does not exist.
 */
export type LeaseAnswer =
  | { readonly state: 'absent' }
  | ({ readonly state: 'held' } & HeldLease)
  | ({
      readonly state: 'expired';
      /**
       * When it expired, in milliseconds since 1970. What launchers said before is too old to prove that nobody leads by
       * promises.
       */
      readonly since: number;
    } & HeldLease)
  | {
      readonly state: 'released';
      readonly uid: string;
      readonly term: number;
      readonly version: string;
      /** Absent in a Lease that never had a leader, and if the annotation cannot be read. */
      readonly release?: LeaseRelease;
    };

/** A Lease that names a holder. */
export interface HeldLease {
  readonly uid: string;
  /** `leaseTransitions`. */
  readonly term: number;
  /** `holderIdentity`: `<pod>/<pod uid>/<boot>`. */
  readonly holder: string;
  /** Identifies the content that {@link ElectRequest} may replace. For `held` it stays the same while the holder renews. */
  readonly version: string;
}

/**
 * Names a leader. Compare and swap: the Lease must still be in the state of the answer with `version`, or the request
 * fails without effect. For `expired`, a renewal since then makes it fail.
 */
export interface ElectRequest {
  readonly namespace: string;
  readonly name: string;
  /** The UID of the Lease of the answer. */
  readonly uid: string;
  /** `version` of the answer. */
  readonly version: string;
  /** The next term: more than that of the answer. */
  readonly term: number;
  /** `holderIdentity`: `<pod>/<pod uid>/<boot>`. Empty to leave the Lease without a leader in this term. */
  readonly holder: string;
  /** Milliseconds. */
  readonly duration: number;
}

const rbacRules: readonly PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
];

/**
 * The Leases of elections. The controller owns and creates the Lease; holder, term and times are written by this port and by
 * the launcher of the holder alone. The source announces changes of state, and the end of a Lease.
 */
export const leaderLeases: Port<LeaseQuestion, LeaseAnswer, ElectRequest> = {
  name: 'reconstruct/leader-leases',
  rbacRules,
  visibleWithin: 0,
};

/** `holderIdentity` of a candidate. */
export function holderOf({ name, uid, boot }: CandidateIdentity): string {
  return `${name}/${uid}/${boot}`;
}

/** The candidate that a `holderIdentity` names. Undefined for one that this package did not write. */
export function identityOf(holder: string): CandidateIdentity | undefined {
  const [name, uid, boot, more] = holder.split('/');
  return name && uid && boot && more === undefined ? { name, uid, boot } : undefined;
}
