import type { Port } from '../../../runtime/index.js';
import type { CandidateIdentity } from './roles.js';

/** The port on which a launcher listens, on the Pod's address. */
export const launcherPort = 7481;
/** The audience of tokens for launchers. */
export const launcherAudience = 'reconstruct.dev/leader';

/** Asks launchers for their state. */
export interface LaunchersQuestion {
  readonly namespace: string;
  /** The Lease of the election: launchers are asked again when it gets another holder, and when it expires. */
  readonly lease: string;
  readonly launchers: readonly {
    /** The name and the UID of the Pod. A launcher that says others counts as silent. */
    readonly name: string;
    readonly uid: string;
    /** `status.podIP` of the Pod. */
    readonly address: string;
  }[];
}

/**
 * What launchers say, by the names of Pods. Each of the question is in one of the two. One that does not answer holds up no
 * other for longer than 2 seconds, and one that was silent before for 0.5 seconds in three of four questions.
 */
export interface LaunchersAnswer {
  readonly reports: Readonly<Record<string, LauncherReport>>;
  /** Why there is no report, for people. */
  readonly silent: Readonly<Record<string, string>>;
}

/** The JSON of `GET /v1/status`. Numbers that change all the time are only present where they matter. */
export interface LauncherReport extends CandidateIdentity {
  /** The highest term that it has seen in a valid role. 0 before the first one. */
  readonly term: number;
  /** What it enforces now, which may be less than what it was told: `none` until everything is in place. */
  readonly role: 'leader' | 'replica' | 'none';
  /** Whether its authority to lead holds now, by the Lease or by promises. */
  readonly leads: boolean;
  /** By what it leads. Absent unless `leads`. */
  readonly authority?: 'Lease' | 'Promises';
  /**
   * The highest term for which it guarantees that it confirms no write to a leader of a lower term, and leads in none. It
   * rises when a role of that term was obeyed: the application is detached, or does not run.
   */
  readonly fencedAt: number;
  /** A promise that still runs: until it ends, the launcher obeys no role of a higher term. */
  readonly promisedTo?: { readonly term: number; readonly boot: string };
  /** How the last handover ended that failed, with the `request` of the role. `problem` is for people. */
  readonly handover?: {
    readonly term: number;
    readonly to: string;
    readonly problem: string;
    readonly request?: string;
  };
  /** What keeps it from its role, for people. */
  readonly problem?: string;
  readonly application: ApplicationReport;
}

/** What the application says of itself. */
export interface ApplicationReport {
  /** False while it starts, loads its data, or does not answer. The other fields are then those of the last answer. */
  readonly isRunning: boolean;
  /** Such as `redis 7.0.15` or `valkey 8.1.1`. Empty before the first answer. */
  readonly version: string;
  /** The history that its data belong to. */
  readonly replicationId: string;
  /** The history before, whose writes up to `secondOffset` it has too. Absent without one. */
  readonly secondReplicationId?: string;
  readonly secondOffset?: number;
  /**
   * How far it has the history: what a leader has written (`master_repl_offset`), and what a replica or a detached
   * application has applied (`slave_repl_offset`, or `master_repl_offset` without a leader). It holds still once it is
   * detached. Of a running leader and its replicas, it proves that the replicas have all that a lost replica had: without it,
   * a lost replica counts as lost until a person accepts that.
   */
  readonly offset?: number;
  /** False from the begin of a full copy until its end: such an application is no candidate. */
  readonly isComplete: boolean;
  /** Whether it has any key of the user. Absent while not known. */
  readonly hasData?: boolean;
  /** Of a replica: whether the link to its leader is up. */
  readonly isLinked?: boolean;
  /** Of a replica: whether it has heard from its leader within `maxLag`. */
  readonly isFresh?: boolean;
  /** Of a leader: the addresses of replicas that confirmed within `maxLag`, sorted. */
  readonly confirmedBy?: readonly string[];
}

/**
 * The launchers of candidates. The operator authenticates by a token with the audience of launchers. Only addresses of Pods
 * are asked: never loopback or link-local ones.
 */
export const leaderLaunchers: Port<LaunchersQuestion, LaunchersAnswer> = {
  name: 'reconstruct/leader-launchers',
};
