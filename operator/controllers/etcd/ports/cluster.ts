import type { Port } from '../../../runtime/index.js';

/** How the operator reaches an etcd cluster. The source reads the Secret itself. */
export interface EtcdQuestion {
  /** The UID of the EtcdCluster. Connections are kept by it. */
  readonly cluster: string;
  readonly namespace: string;
  /** The Secret with the client certificate of the operator: `tls.crt`, `tls.key` and `ca.crt`. */
  readonly secret: string;
  /** URLs for clients of all members, whether they run or not. Their certificates have these host names. */
  readonly endpoints: readonly string[];
}

/** A member that etcd has, whether it runs or not. */
export interface EtcdMember {
  /** In hexadecimal, as etcdctl prints it. */
  readonly id: string;
  /** Absent until it has started for the first time. Until then only its URL identifies it. */
  readonly name?: string;
  readonly peerUrls: readonly string[];
  /** A learner receives the log and has no vote. It answers no clients. */
  readonly isLearner: boolean;
  /** Whether it answered within 3 seconds and follows the leader. False also for a member that cannot be reached from here. */
  readonly isHealthy: boolean;
  /** What it reported. Absent if it did not answer. */
  readonly report?: MemberReport;
}

/** What a member reports about itself. Figures are rounded, because an answer that changes wakes the controller. */
export interface MemberReport {
  /** The version of etcd, such as `3.4.23`. */
  readonly version: string;
  /** Entries of the log that it lacks: 0 below 1,000, else in steps of 1,000. */
  readonly behind: number;
  /** Bytes of its data file, and bytes of them in use, in steps of 1 MiB, rounded up. */
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  /** Alarms of the cluster that it knows. With `NOSPACE`, the cluster refuses writes. */
  readonly alarms: readonly ('NOSPACE' | 'CORRUPT')[];
}

/** The state of a cluster. */
export interface EtcdAnswer {
  /** In hexadecimal. */
  readonly clusterId: string;
  /**
   * Whether a member has just read through the quorum. If not, `members` is what one member knows: it may lack the latest
   * changes, and no change is possible. It is also false for 1.2 to 1.6 seconds after the leader was killed, until there is
   * another one.
   */
  readonly hasQuorum: boolean;
  /** The ID of the leader. Absent while there is none. */
  readonly leader?: string;
  /** Sorted by their URLs. */
  readonly members: readonly EtcdMember[];
  /** Why endpoints did not answer, by their URL. */
  readonly silent: Readonly<Record<string, string>>;
}

/** A change of one thing of a cluster. The same change a second time changes nothing. */
export type EtcdChange =
  | /**
   * Adds a member as a learner, which has no vote until it is promoted. etcd has at most one learner at a time. It refuses
   * the learner while a member with a vote is down, so remove a lost member first, and for 5 seconds after a member has
   * started.
   */
  { readonly act: 'addMember'; readonly peerUrl: string }
  /** Gives a learner a vote. etcd refuses it until the learner has nine tenths of the log. */
  | { readonly act: 'promoteMember'; readonly id: string }
  /** Removes a member, which then ends. etcd refuses it if the remaining members that run were no majority. */
  | { readonly act: 'removeMember'; readonly id: string }
  /** Makes a member with a vote the leader. */
  | { readonly act: 'moveLeader'; readonly id: string };

/** Changes a cluster. */
export type EtcdRequest = EtcdQuestion & EtcdChange;

/** The members of an EtcdCluster. It rejects if no member with a vote answers. */
export const etcdCluster: Port<EtcdQuestion, EtcdAnswer, EtcdRequest> = {
  name: 'reconstruct/etcd-cluster',
  formerName: 'etcd-cluster',
  secrets: 'any',
  visibleWithin: 10_000,
};
