import { currentIn, isInPlace, type ObservedJob } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import { generationIn, memberRanks, membersIn, ranksOf } from '../job/ranks.js';
import type { RankReport } from '../ports/coordinator.js';
import type { Worker } from '../workers/worker.js';
import { type NewFault, placeOf } from './new-fault.js';

/**
 * The step since which each slow member computes longer than the factor allows, by the UID of its Pod. A Pod is as slow as
 * the slowest of its processes. Ranks that wait for others do not compute, so they do not count as slow.
 */
export function slowSince(job: ObservedJob): Memory['slowSince'] {
  if (!isInPlace(job)) return {};
  const { memory, spec } = job;
  const generation = generationIn(job);
  const isMeasured = (rank: RankReport) =>
    rank.generation === generation && rank.state === 'training' && secondsOf(rank) > 0;
  const ranks = memberRanks(job).filter(isMeasured);
  const limit = spec.health.straggler.factor * medianOf(ranks.map(secondsOf));
  const since = membersIn(job).flatMap(({ uid }) => {
    const own = ranksOf({ uid }, job).filter(isMeasured);
    const before = memory.slowSince[uid];
    // Without a measurement, for example while it recovers, nothing new is known of it.
    if (own.length === 0) return before === undefined ? [] : [[uid, before] as const];
    const step = Math.min(...own.map((rank) => rank.step));
    // After a rollback, its steps are counted again.
    return own.some((rank) => secondsOf(rank) > limit) ? [[uid, Math.min(before ?? step, step)] as const] : [];
  });
  return Object.fromEntries(since);
}

const secondsOf = ({ computeSeconds = 0 }: RankReport) => computeSeconds;

/** The mean of both middle values if there are two. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, one) => sum + one, 0) / middle.length;
}

/** Members that are slow for as many steps as the spec allows. */
export function stragglersIn(job: ObservedJob, slow: Memory['slowSince']): readonly Worker[] {
  const { steps } = job.spec.health.straggler;
  return currentIn(job).filter((one) => {
    const since = slow[one.uid];
    const done = ranksOf(one, job).map(({ step }) => step);
    return since !== undefined && done.length > 0 && Math.min(...done) - since >= steps;
  });
}

/** Why a member is a straggler, as a sentence for people. */
export function slownessOf({ name, node, uid }: Worker, { spec }: ObservedJob, slow: Memory['slowSince']): string {
  const place = node === undefined ? name : `${name} on node ${node}`;
  return `Pod ${place} computes more than ${spec.health.straggler.factor} times as long as the median of all ranks since step ${slow[uid]}`;
}

/** Stragglers are faults only if the spec has them replaced. */
export function stragglerFaults(job: ObservedJob): readonly NewFault[] {
  if (job.spec.health.straggler.action !== 'Replace') return [];
  const slow = slowSince(job);
  return stragglersIn(job, slow).map((one) => ({
    ...{ ...placeOf(one, job), id: `pod-${one.uid}`, kind: 'Straggler', grade: 'Pod' as const },
    message: slownessOf(one, job, slow),
  }));
}
