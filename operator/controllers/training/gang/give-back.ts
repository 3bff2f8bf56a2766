import { secondsOf } from '../../../../crds/index.js';
import { currentIn, isInPlace, lacksObject } from '../job/job.js';
import { gatedIn, scheduling } from '../job/starts.js';
import { type Gang, gangOrder } from '../ports/capacity.js';
import { hasRoomFor } from '../room/claims.js';
import type { Worker } from '../workers/worker.js';
import { canGoOn, type GangState, isElastic, isOwn } from './elastic.js';

/**
 * True if the job must give its nodes back and wait again: its workers do not all get a node in time, or an older job is
 * being scheduled too, or others got its room, or an object that its Pods mount is not there.
 */
export function mustGiveBack(job: GangState): boolean {
  const { memory, spec, now } = job;
  const unplaced = scheduling(job);
  if (memory.members.length === 0 && holdsWithoutObject(job)) return true;
  if (unplaced.length === 0 || trainsWithout(unplaced, job) || canGoOn(job)) return false;
  const isLate = memory.openedTime !== undefined && now - memory.openedTime >= 1_000 * secondsOf(spec.gang.timeout);
  return isLate || (memory.members.length === 0 && mustGiveWay(job));
}

/** The youngest of the jobs that are open at once gives way, and so does one whose room another one got. */
function mustGiveWay(job: GangState): boolean {
  const opening = job.room?.opening ?? [];
  const others = opening.filter((gang) => !isOwn(gang, job));
  return others.length > 0 ? others.some((gang) => isElder(gang, job)) : lacksRoom(job);
}

/** By one answer alone: a Pod that got its node after the answer would count twice. */
function lacksRoom(job: GangState): boolean {
  const { room } = job;
  const own = room?.opening.find((gang) => isOwn(gang, job));
  return (
    room !== undefined && own !== undefined && !hasRoomFor({ needs: own.needs, workers: own.unplaced }, room.nodes)
  );
}

function isElder(gang: Gang, job: GangState): boolean {
  const [queued = ''] = scheduling(job)
    .map(({ created }) => created)
    .toSorted();
  return gangOrder(gang) < gangOrder({ queued, namespace: job.namespace, job: job.name });
}

/** True if Pods were released and others get no node, because an object that they mount is not there. */
function holdsWithoutObject(job: GangState): boolean {
  const current = currentIn(job);
  return current.some(({ isGated }) => !isGated) && current.some((one) => waitsForObject(one, job));
}

/**
 * Pods without a node whose place gets a gated Pod, because the members of the generation train without them. A Pod that
 * waits for the scheduler holds up the workers of all other jobs.
 */
export function givenBackIn(job: GangState): readonly Worker[] {
  const { now } = job;
  const unplaced = scheduling(job);
  if (unplaced.length === 0 || !isElastic(job) || !trainsWithout(unplaced, job)) return [];
  return unplaced.filter((one) => (givenBackAt(one, job) ?? Number.POSITIVE_INFINITY) <= now);
}

/** Undefined before it is written down that the scheduler may place the Pod. */
function givenBackAt({ created }: Worker, { memory, spec }: GangState): number | undefined {
  const { openedTime } = memory;
  return openedTime && Math.max(openedTime, Date.parse(created)) + 1_000 * secondsOf(spec.replaceWithin);
}

/**
 * Pods without a node that no Pod replaces until what they mount is there: neither the scheduler nor other jobs wait for them.
 * With `recovery: Restart`, all Pods of a start go together.
 */
export function withdrawnIn(job: GangState): readonly Worker[] {
  const current = currentIn(job);
  const canWithdraw = isInPlace(job) || current.every(({ isGated }) => isGated);
  return canWithdraw ? current.filter((one) => waitsForObject(one, job)) : [];
}

function waitsForObject(worker: Worker, job: GangState): boolean {
  return worker.phase === 'Pending' && worker.node === undefined && lacksObject(worker, job);
}

/** The times at which Pods of a job that trains are given back, or released again. */
export function releaseTimes(job: GangState): readonly number[] {
  if (!isElastic(job)) return [];
  const gated = gatedIn(job);
  return [
    ...scheduling(job).flatMap((one) => givenBackAt(one, job) ?? []),
    ...gated.map((one) => reopensAt(one, gated, job)),
  ];
}

/**
 * When the gate of a Pod may open again, in milliseconds since 1970. Other jobs get the time in which a job that trains looks
 * for a node in vain.
 */
export function reopensAt({ created }: Worker, gated: readonly Worker[], job: GangState): number {
  const wait = 1_000 * secondsOf(job.spec.replaceWithin);
  return isElastic(job) && trainsWithout(gated, job) ? Date.parse(created) + wait : 0;
}

/** Additional workers and spares hold up nobody: the members of the generation train meanwhile. */
function trainsWithout(unplaced: readonly Worker[], job: GangState): boolean {
  const { members } = job.memory;
  const placed = currentIn(job).filter((one) => !unplaced.includes(one));
  return members.length > 0 && members.every(({ uid }) => placed.some((one) => one.uid === uid));
}
