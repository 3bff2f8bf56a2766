import type { LeaderElectionStatus } from '../../../../imports/index.js';
import { millisecondsOf } from '../../../runtime/index.js';
import { identityOf } from '../ports/leases.js';
import type { CandidateIdentity } from '../ports/roles.js';

/** A process that may have confirmed writes. */
export interface Member {
  readonly boot: string;
  readonly name: string;
  readonly uid: string;
  /** Whether it had a complete copy, so that it may have confirmed writes. */
  readonly isComplete?: boolean;
  /** RFC 3339. When it was first seen to be gone. */
  readonly goneSince?: string;
  /** The offset of the leader after that. Who has it has all that this process confirmed. */
  readonly goneAt?: number;
}

/** What the status remembers of earlier reconciles. */
export interface Memory {
  /** The Pod that led last, as far as it was seen. */
  readonly leader?: string | undefined;
  readonly leaderUid?: string | undefined;
  /** The term of the last leader. 0 before the first one. */
  readonly term: number;
  /** Milliseconds since 1970: when that leader was named. */
  readonly since?: number | undefined;
  /** The replication history of the last leader. */
  readonly history?: string | undefined;
  /** The term of the leader that wrote this history. */
  readonly historyTerm: number;
  /** That leader. */
  readonly historian?: CandidateIdentity | undefined;
  /** The replicas of the last leader, and earlier leaders. */
  readonly members: readonly Member[];
  /** The names of Pods whose data may be overwritten. */
  readonly names: readonly string[];
  /** Milliseconds since 1970: when the demotion of a leader without launcher began. */
  readonly demoting?: number | undefined;
}

/** Reads the status. */
export function memoryOf(status: LeaderElectionStatus | undefined): Memory {
  const { leader, leaderUid, term = 0, since, members = [], names = [], demotingSince } = status ?? {};
  const { replicationId, historyTerm = 0, historyHolder } = status ?? {};
  return {
    ...{ leader, leaderUid, term, since: millisecondsOf(since), members, names: names.map(({ name }) => name) },
    ...{ history: replicationId, historyTerm, demoting: millisecondsOf(demotingSince) },
    historian: historyHolder === undefined ? undefined : identityOf(historyHolder),
  };
}
