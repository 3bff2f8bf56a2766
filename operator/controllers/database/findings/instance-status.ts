import type { DatabaseStatus, DatabaseStatusInstances } from '../../../../imports/index.js';
import type { Instance } from '../instances/instances.js';
import { type LogPosition, lsnOf, wholeOf } from '../instances/log-position.js';
import { lastPositionOf } from '../plan/index.js';
import { leaderIn, type Situation, streamsFrom } from '../situation.js';

/** Bytes below which two positions count as equal, because every write moves them. */
const even = 2 ** 20;

/** The status entry of an instance. */
export function instanceStatusOf(
  instance: Instance,
  situation: Situation,
  before: DatabaseStatus | undefined,
): DatabaseStatusInstances {
  const { name, report, noted, zone, node } = instance;
  const leader = leaderIn(situation);
  const isLeader = leader?.name === name;
  const known = before?.instances?.find((one) => one.name === name);
  const version = report?.version ?? known?.version;
  const last = keptOf(instance);
  const timeline = last?.timeline ?? report?.timeline ?? noted?.timeline;
  const lagBytes = isLeader ? undefined : lagOf(instance, leader);
  // An instance that does not report its usage keeps the last known value.
  const usedPercent = report?.usedPercent ?? known?.usedPercent;
  const isSynchronous = leader?.report?.streaming?.[name]?.synchronous;
  return {
    name,
    role: roleOf(instance, leader),
    state: stateOf(instance, leader),
    ...(lagBytes !== undefined && { lagBytes }),
    ...(zone !== undefined && { zone }),
    ...(node !== undefined && { node }),
    ...(version !== undefined && { version }),
    ...(timeline !== undefined && { timeline }),
    ...(last && { position: lsnOf(last.position) }),
    ...(isSynchronous !== undefined && { synchronous: isSynchronous }),
    ...(usedPercent !== undefined && { usedPercent }),
  };
}

/**
 * The last known position of an instance that may never report again. When a node is lost, its instance first becomes
 * unready, then stops responding, and then its Pod terminates and is no longer observed, with its annotations.
 */
function keptOf(instance: Instance): LogPosition | undefined {
  const { isReady, pod, report, remembered } = instance;
  if (isReady) return undefined;
  const told = wholeOf(report);
  if (pod !== 'there' || !told) return told ?? lastPositionOf(instance);
  return remembered && isNear(remembered, told) ? remembered : told;
}

/** Avoids a status write for each small change of the position. */
function isNear(a: LogPosition, b: LogPosition): boolean {
  return a.timeline === b.timeline && Math.abs(a.position - b.position) < even;
}

function roleOf({ name, report, pod }: Instance, leader: Instance | undefined): DatabaseStatusInstances['role'] {
  if (name === leader?.name) return 'Primary';
  if (report?.role === 'replica' || (leader && pod === 'there')) return 'Replica';
  return 'Unknown';
}

function stateOf(instance: Instance, leader: Instance | undefined): string {
  const { pod, leavingAt, report, noted } = instance;
  if (pod === 'ending') return 'stopping';
  if (pod === 'none') return leavingAt === undefined ? 'stopped' : 'pruning';
  if (leader && instance.name !== leader.name && streamsFrom(leader, instance)) return 'streaming';
  return (report?.state ?? (instance.isReady ? noted?.state : undefined) ?? 'starting').slice(0, 64);
}

/** Lag in powers of two, because the exact number of bytes would change the status each time. */
function lagOf({ report }: Instance, leader: Instance | undefined): number | undefined {
  if (report?.position === undefined || leader?.report?.position === undefined) return undefined;
  const lag = leader.report.position - report.position;
  return lag < even ? 0 : 2 ** Math.floor(Math.log2(lag));
}
