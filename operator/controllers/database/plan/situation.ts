import type { Forks } from '../instances/forks.js';
import type { Instance } from '../instances/instances.js';

/** The facts from which the next step of a Database is planned. */
export interface Situation {
  /** Desired number of instances. */
  readonly wanted: number;
  /** Commits wait for replicas. */
  readonly isSynchronous: boolean;
  /** Hash of the desired Pod template. */
  readonly revision: string;
  /** Hash of the desired parameters. */
  readonly parameters: string;
  /** The write-ahead log is archived, and replicas can read it from the archive. */
  readonly hasArchive: boolean;
  /** Position at which each timeline forked. An instance beyond that position on the old timeline cannot follow. */
  readonly forks: Forks;
  /** Time since which a replica does not follow the primary, in milliseconds since 1970. Undefined while all follow. */
  readonly degradedSince?: number | undefined;
  /** By serial. */
  readonly instances: readonly Instance[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Instances that run or start: all except those with a quarantined PVC. */
export function membersIn({ instances }: Situation): readonly Instance[] {
  return instances.filter(({ isQuarantined, pod, claim }) => !isQuarantined && (pod !== 'none' || claim === 'there'));
}

/** Members that are not being scaled down. */
export function stayingIn(situation: Situation): readonly Instance[] {
  return membersIn(situation).filter(({ leavingAt }) => leavingAt === undefined);
}

/** All instances that report that they are the primary. More than one is a split brain. */
export function claimantsIn({ instances }: Situation): readonly Instance[] {
  return instances.filter(({ report }) => report?.role === 'primary');
}

/**
 * The primary. Its label alone may be stale: a Pod on a dead node keeps the label until another instance removes it.
 * @returns undefined if there is none, or if it is uncertain
 */
export function leaderIn(situation: Situation): Instance | undefined {
  const claimants = claimantsIn(situation);
  const labelled = situation.instances.filter(({ isLabelledPrimary, pod }) => isLabelledPrimary && pod === 'there');
  // A report is seconds old: a ready instance with the label may have become the primary since.
  const isOvertaken = ({ name }: Instance) => labelled.some((other) => other.name !== name && other.isReady);
  if (claimants.length > 0) return only(claimants.filter((one) => claimants.length > 1 || !isOvertaken(one)));
  return only(labelled) ?? only(labelled.filter(({ isReady }) => isReady));
}

function only(instances: readonly Instance[]): Instance | undefined {
  return instances.length === 1 ? instances[0] : undefined;
}

/** True if an instance reports that it is the primary and its Pod is ready: it has every acknowledged commit. */
export function isServing({ report, isReady }: Instance): boolean {
  return isReady && report?.role === 'primary' && report.state === 'running';
}

/** True if the primary reports that it streams its log to the replica. */
export function streamsFrom(leader: Instance, { name }: Instance): boolean {
  return leader.report?.streaming?.[name] !== undefined;
}

/** True if an instance is healthy: a primary serves, and a replica is ready and follows the primary. */
export function isWell(instance: Instance, leader: Instance): boolean {
  if (instance.pod !== 'there' || !instance.isReady) return false;
  return instance.name === leader.name ? isServing(leader) : streamsFrom(leader, instance);
}

/** True if the Pod of an instance was created from another template or with other parameters than desired. */
export function isOutdated({ pod, revision, parameters, report }: Instance, situation: Situation): boolean {
  if (pod !== 'there') return false;
  const awaitsRestart = report?.pendingRestart === true && parameters !== markOf(situation);
  return revision !== situation.revision || awaitsRestart;
}

/**
 * Identifies the parameters with which a new Pod starts: the desired ones, and whether the primary already runs with
 * them. A replica cannot apply lower limits before the primary, so a Pod that was created earlier may have to restart.
 */
export function markOf(situation: Situation): string {
  const leader = leaderIn(situation)?.report;
  const isTaken = leader !== undefined && leader.pendingRestart !== true;
  return isTaken ? `${situation.parameters}.taken` : situation.parameters;
}

/**
 * True if the primary waits for a restart, and so does an instance that already started with these parameters:
 * PostgreSQL requires that the primary applies lower limits first. It restarts in place, because no replica has them
 * for a failover.
 * @see https://www.postgresql.org/docs/15/hot-standby.html#HOT-STANDBY-ADMIN
 */
export function primaryGoesFirst(situation: Situation): boolean {
  if (leaderIn(situation)?.report?.pendingRestart !== true) return false;
  const mark = markOf(situation);
  return stayingIn(situation).some(({ report, parameters }) => report?.pendingRestart === true && parameters === mark);
}
