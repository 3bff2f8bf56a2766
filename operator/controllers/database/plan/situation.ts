import type { Forks } from '../instances/forks.js';
import type { Instance } from '../instances/instances.js';

/** What the next step of a Database follows from. */
export interface Situation {
  /** Instances that there are to be. */
  readonly wanted: number;
  /** A commit waits for replicas. */
  readonly isSynchronous: boolean;
  /** Of the Pods as they are to be. */
  readonly revision: string;
  /** Of the parameters as they are to be. */
  readonly parameters: string;
  /** What the log had is archived, and replicas find it there. */
  readonly hasArchive: boolean;
  /** Where each timeline ended for all who lead since: nobody who is beyond that on it can follow them. */
  readonly forks: Forks;
  /** Since when not every replica follows the primary, in milliseconds since 1970; undefined while all do. */
  readonly degradedSince?: number | undefined;
  /** By serial. */
  readonly instances: readonly Instance[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Instances that run or are to run: all but those whose claims are kept aside. */
export function membersIn({ instances }: Situation): readonly Instance[] {
  return instances.filter(({ isQuarantined, pod, claim }) => !isQuarantined && (pod !== 'none' || claim === 'there'));
}

/** Of these, those that are to stay. */
export function stayingIn(situation: Situation): readonly Instance[] {
  return membersIn(situation).filter(({ leavingAt }) => leavingAt === undefined);
}

/** All that say now that they are the primary. More than one is what must never be. */
export function claimantsIn({ instances }: Situation): readonly Instance[] {
  return instances.filter(({ report }) => report?.role === 'primary');
}

/**
 * The instance that leads. Its label alone may be old: a pod on a dead node keeps it until somebody else takes it away.
 * @returns undefined where none does, or where that is not certain
 */
export function leaderIn(situation: Situation): Instance | undefined {
  const claimants = claimantsIn(situation);
  const labelled = situation.instances.filter(({ isLabelledPrimary, pod }) => isLabelledPrimary && pod === 'there');
  // What it said is seconds old: who has the label since, and is ready, may lead by now.
  const isOvertaken = ({ name }: Instance) => labelled.some((other) => other.name !== name && other.isReady);
  if (claimants.length > 0) return only(claimants.filter((one) => claimants.length > 1 || !isOvertaken(one)));
  return only(labelled) ?? only(labelled.filter(({ isReady }) => isReady));
}

function only(instances: readonly Instance[]): Instance | undefined {
  return instances.length === 1 ? instances[0] : undefined;
}

/** True of a primary that says so itself, and whose Pod is ready: what it does not have nobody was promised. */
export function isServing({ report, isReady }: Instance): boolean {
  return isReady && report?.role === 'primary' && report.state === 'running';
}

/** True where a replica has the primary's log sent to it, by what the primary says. */
export function streamsFrom(leader: Instance, { name }: Instance): boolean {
  return leader.report?.streaming?.[name] !== undefined;
}

/** True of an instance that does its part: the primary serves, a replica is ready and follows it. */
export function isWell(instance: Instance, leader: Instance): boolean {
  if (instance.pod !== 'there' || !instance.isReady) return false;
  return instance.name === leader.name ? isServing(leader) : streamsFrom(leader, instance);
}

/** True of an instance whose Pod was made from something else than what is wanted now. */
export function isOutdated({ pod, revision, parameters, report }: Instance, situation: Situation): boolean {
  if (pod !== 'there') return false;
  const awaitsRestart = report?.pendingRestart === true && parameters !== markOf(situation);
  return revision !== situation.revision || awaitsRestart;
}

/**
 * By what parameters a Pod that is made now starts: those that are wanted, and whether the primary runs by them already.
 * Of lower limits a replica takes none before the primary does, so one that was made earlier may have to start again.
 */
export function markOf(situation: Situation): string {
  const leader = leaderIn(situation)?.report;
  const isTaken = leader !== undefined && leader.pendingRestart !== true;
  return isTaken ? `${situation.parameters}.taken` : situation.parameters;
}

/**
 * True where the primary waits for a restart, and one that was made by the very parameters waits too: PostgreSQL has lower
 * limits taken by the primary first, in place, since nobody who took its place would have them.
 * @see https://www.postgresql.org/docs/15/hot-standby.html#HOT-STANDBY-ADMIN
 */
export function primaryGoesFirst(situation: Situation): boolean {
  if (leaderIn(situation)?.report?.pendingRestart !== true) return false;
  const mark = markOf(situation);
  return stayingIn(situation).some(({ report, parameters }) => report?.pendingRestart === true && parameters === mark);
}
