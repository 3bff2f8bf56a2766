import type { LeaderRole, PodAssignment } from '../ports/roles.js';
import { addressIn, type Candidate, identityIn } from './candidate.js';

/** What the roles of an election have in common. */
export type SharedRole = Pick<LeaderRole, 'election' | 'uid' | 'lease' | 'port' | 'minReplicas' | 'maxLag'> & {
  readonly term: number;
};

/** The role of one candidate. */
export interface WantedRole {
  readonly candidate: Candidate;
  readonly role: LeaderRole['role'];
  /** Whom a replica follows. */
  readonly leader?: LeaderRole['leader'];
  readonly handover?: LeaderRole['handover'];
}

/**
 * The Pods whose annotations differ from their roles. A silent Pod keeps what it has: a role is addressed to a process, and
 * which one runs is not known.
 */
export function assignmentsOf(
  wanted: readonly WantedRole[],
  shared: SharedRole,
  all: readonly Candidate[],
): readonly PodAssignment[] {
  return wanted.flatMap(({ candidate, role, leader, handover }) => {
    const { report, told, name, uid } = candidate;
    if (!report || !told) return [];
    const { term, ...rest } = shared;
    const value: LeaderRole = {
      ...{ election: rest.election, uid: rest.uid, term, role, boot: report.boot, lease: rest.lease, port: rest.port },
      ...(leader && { leader }),
      candidates: othersOf(candidate, all),
      ...{ minReplicas: rest.minReplicas, maxLag: rest.maxLag },
      ...(handover && { handover }),
    };
    const text = JSON.stringify(value);
    const isLabelled = role === 'leader';
    const isSame = told.text === text && told.term === String(term) && told.isLabelled === isLabelled;
    return isSame ? [] : [{ name, uid, role: text, term: String(term), isLabelled }];
  });
}

/** All other candidates with an address whose process is known, also silent ones: a leader needs the promise of each. */
function othersOf({ uid }: Candidate, all: readonly Candidate[]): LeaderRole['candidates'] {
  return all.flatMap((other) => (other.uid === uid || !identityIn(other) ? [] : (addressIn(other) ?? [])));
}

/** Pods whose annotations and label are to be removed. Roles of another election stay. @param uid of the election */
export function withdrawals(all: readonly Candidate[], uid: string): readonly PodAssignment[] {
  return all
    .filter(({ told }) => told && (told.text !== undefined || told.term !== undefined || told.isLabelled))
    .filter(({ told }) => told?.role === undefined || told.role.uid === uid)
    .map(({ name, uid }) => ({ name, uid, role: null, term: null, isLabelled: false }));
}
