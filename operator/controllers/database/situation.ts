import type { DatabaseResource } from '../../../imports/index.js';
import { instanceImage, instanceRevision, objectNames, parametersRevision } from '../../../src/index.js';
import { activeMembers } from '../../members/index.js';
import { ConfigMap, conditionOf, Pod, pollValueOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { type Forks, forksIn } from './instances/forks.js';
import { type Instance, instancesOf } from './instances/instances.js';
import { bytesOf, type LogPosition, wholeOf } from './instances/log-position.js';
import { claimsIn, type DatabaseView } from './view.js';
import { withPresentSize } from './volumes/volume-sizes.js';

type Reason = keyof (typeof conditions)['Replicated'];

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

/** The observed and desired state of a Database. */
export function situationOf(view: DatabaseView): Situation {
  const { resource, owned, pruning, reads, polled, now } = view;
  const { metadata, spec } = resource;
  const { members, goneNodes } = polled;
  const claims = claimsIn(view);
  const instances = instancesOf({
    database: metadata.name,
    pods: owned.of(Pod),
    leaving: pruning?.of(Pod) ?? [],
    claims,
    nodes: reads.nodes,
    reports: pollValueOf(members)?.reports ?? {},
    topologyKey: spec.placement.topologyKey,
    gone: pollValueOf(goneNodes)?.gone ?? [],
    remembered: rememberedIn(resource),
  });
  const { name, namespace = '' } = metadata;
  return {
    wanted: metadata.deletionTimestamp === undefined ? spec.replicas : remaining(instances),
    isSynchronous: spec.synchronous.mode !== 'None',
    revision: instanceRevision({ name, namespace }, { spec, image: instanceImage(spec) }),
    parameters: parametersRevision(name, withPresentSize(resource, claims)),
    hasArchive: spec.backup !== undefined,
    forks: forksIn(owned.of(ConfigMap).find((one) => one.metadata.name === objectNames(name).dynamicConfig)),
    degradedSince: degradedSince(resource),
    instances,
    now: now.getTime(),
  };
}

function degradedSince(resource: DatabaseResource): number | undefined {
  const replicated = conditionOf<typeof conditions>(resource, 'Replicated');
  const isBehind = replicated?.status === 'False' || replicated?.reason === ('Initializing' satisfies Reason);
  return replicated && isBehind ? Date.parse(replicated.lastTransitionTime) : undefined;
}

function rememberedIn({ status }: DatabaseResource): Readonly<Record<string, LogPosition>> {
  const all = (status?.instances ?? []).flatMap(({ name, timeline, position }) => {
    const bytes = position === undefined ? undefined : bytesOf(position);
    const whole = wholeOf({
      ...(timeline !== undefined && { timeline }),
      ...(bytes !== undefined && { position: bytes }),
    });
    return whole ? [[name, whole] as const] : [];
  });
  return Object.fromEntries(all);
}

/** A Database that is being deleted keeps its current number of instances until its data is saved. */
function remaining(instances: readonly Instance[]): number {
  return instances.filter(({ isQuarantined, leavingAt }) => !isQuarantined && leavingAt === undefined).length;
}

/** Instances that run or start: all except those with a quarantined PVC. */
export function membersIn({ instances }: Situation): readonly Instance[] {
  return activeMembers(instances, isRetired);
}

/** True for an instance whose volume is kept for inspection. */
export function isRetired({ isQuarantined }: Pick<Instance, 'isQuarantined'>): boolean {
  return isQuarantined;
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
