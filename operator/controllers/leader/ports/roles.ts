import type { PolicyRule, Port } from '../../../runtime/index.js';

/** The annotation of a candidate Pod that has its {@link LeaderRole} as JSON. The Pod reads it from a downward API volume. */
export const roleAnnotation = 'reconstruct.dev/leader-role';
/** The annotation with the term alone, in decimal digits, for applications. */
export const termAnnotation = 'reconstruct.dev/leader-term';
/** The label that the Pod of the leader has, with the value `true`. */
export const leaderLabel = 'reconstruct.dev/leader';

/** A process that is or was a candidate. A restarted container draws another `boot`, so it is another candidate. */
export interface CandidateIdentity {
  /** The name of the Pod. */
  readonly name: string;
  /** The UID of the Pod. */
  readonly uid: string;
  /** What the launcher drew at its start: 32 hexadecimal digits. */
  readonly boot: string;
}

/** A candidate, and where it listens. */
export interface CandidateAddress extends CandidateIdentity {
  /** The IP address of the Pod, IPv6 without brackets. */
  readonly address: string;
}

/**
 * What a candidate should be, as compact JSON in {@link roleAnnotation}. All times are whole milliseconds.
 *
 * A launcher obeys a role only if `boot` is its own, and `term` is at least the highest term that it has obeyed. It ignores
 * any other role, and keeps the one that it obeys. Without a role, and with one that it cannot parse, it serves nobody.
 */
export interface LeaderRole {
  /** The name of the LeaderElection. */
  readonly election: string;
  /** Its UID. */
  readonly uid: string;
  /** Rises by one with each leader. A role `none` of the next term fences: see `fencedAt` of {@link LauncherReport}. */
  readonly term: number;
  /**
   * `leader`: the launcher first renews the Lease, which must name it and `term`, then promotes and opens.
   * `replica`: it attaches to `leader` as soon as the launcher of the leader says that it leads in `term`, then opens.
   * `none`: it detaches from every leader, keeps the data, and closes the port and all clients.
   */
  readonly role: 'leader' | 'replica' | 'none';
  /** The launcher that should obey. */
  readonly boot: string;
  readonly lease: {
    readonly name: string;
    readonly duration: number;
    readonly renewDeadline: number;
    readonly retryPeriod: number;
  };
  /** The port of the application, such as 6379. */
  readonly port: number;
  /** Whom a replica follows. Absent for `leader` and `none`. */
  readonly leader?: CandidateAddress;
  /**
   * All other candidates. A leader that cannot renew the Lease leads on only while each of them promises not to lead. For
   * a leader without any, the Lease alone counts.
   */
  readonly candidates: readonly CandidateAddress[];
  /** Replicas that must have confirmed recently, or the leader refuses writes. */
  readonly minReplicas: number;
  /** How recently. The application may round it up to whole seconds. */
  readonly maxLag: number;
  /**
   * For the leader: hand over to this candidate. The launcher stops writes, waits until that candidate has all of them, and
   * releases the Lease. If that takes longer than `deadline`, it accepts writes again and says so in `handover` of its report.
   * Each `request` is tried once. Absent for a preference.
   */
  readonly handover?: { readonly to: CandidateIdentity; readonly deadline: number; readonly request?: string };
}

/** Asks for the roles that Pods have now. */
export interface RolesQuestion {
  readonly namespace: string;
  readonly pods: readonly { readonly name: string; readonly uid: string }[];
}

/** What a Pod has. Absent fields: it has no such annotation. */
export interface PodRole {
  readonly uid: string;
  /** The annotation as it is. */
  readonly role?: string;
  readonly term?: string;
  readonly isLabelled: boolean;
  /** Present while the Pod is being deleted. */
  readonly isEnding?: true;
}

/** By the name of the Pod. A Pod that is gone, or has another UID, is absent. */
export interface RolesAnswer {
  readonly pods: Readonly<Record<string, PodRole>>;
}

/** Changes Pods that belong to others. Each has its UID as a precondition, so a new Pod of the same name is never changed. */
export type RolesRequest =
  | { readonly act: 'assign'; readonly namespace: string; readonly pods: readonly PodAssignment[] }
  | {
      readonly act: 'delete';
      readonly namespace: string;
      readonly pods: readonly { readonly name: string; readonly uid: string }[];
    };

/** The role of one Pod. Absent fields stay as they are, null removes. */
export interface PodAssignment {
  readonly name: string;
  readonly uid: string;
  /** {@link LeaderRole} as JSON. */
  readonly role?: string | null;
  readonly term?: string | null;
  /** Whether the Pod has {@link leaderLabel}. */
  readonly isLabelled?: boolean;
}

const rbacRules: readonly PolicyRule[] = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'patch', 'delete'] }];

/**
 * The roles of candidates, in annotations of Pods that are not owned. One bad Pod does not hold up the others: all are
 * tried, then the first failure is reported.
 */
export const leaderRoles: Port<RolesQuestion, RolesAnswer, RolesRequest> = {
  name: 'reconstruct/leader-roles',
  rbacRules,
  visibleWithin: 0,
};
