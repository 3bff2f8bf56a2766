import type { RankReport } from '../ports/coordinator.js';
import type { NewFault } from './new-fault.js';
import { placeOf } from './new-fault.js';
import {
  currentIn,
  generationIn,
  isInPlace,
  type Memory,
  memberRanks,
  membersIn,
  ranksOf,
  type Situation,
  type Worker,
} from './situation.js';

/**
 * The step since which each slow member computes longer than the factor allows, by the UID of its Pod. A Pod is as slow as
 * the slowest of its processes. Ranks that wait for others do not compute, so they do not count as slow.
 */
export function slowSince(situation: Situation): Memory['slowSince'] {
  if (!isInPlace(situation)) return {};
  const { memory, spec } = situation;
  const generation = generationIn(situation);
  const isMeasured = (rank: RankReport) =>
    rank.generation === generation && rank.state === 'training' && secondsOf(rank) > 0;
  const ranks = memberRanks(situation).filter(isMeasured);
  const limit = spec.health.straggler.factor * medianOf(ranks.map(secondsOf));
  const since = membersIn(situation).flatMap(({ uid }) => {
    const own = ranksOf({ uid }, situation).filter(isMeasured);
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
export function stragglersIn(situation: Situation, slow: Memory['slowSince']): readonly Worker[] {
  const { steps } = situation.spec.health.straggler;
  return currentIn(situation).filter((one) => {
    const since = slow[one.uid];
    const done = ranksOf(one, situation).map(({ step }) => step);
    return since !== undefined && done.length > 0 && Math.min(...done) - since >= steps;
  });
}

/** Why a member is a straggler, as a sentence for people. */
export function slownessOf({ name, node, uid }: Worker, { spec }: Situation, slow: Memory['slowSince']): string {
  const place = node === undefined ? name : `${name} on node ${node}`;
  return `Pod ${place} computes more than ${spec.health.straggler.factor} times as long as the median of all ranks since step ${slow[uid]}`;
}

/** Stragglers are faults only if the spec has them replaced. */
export function stragglerFaults(situation: Situation): readonly NewFault[] {
  if (situation.spec.health.straggler.action !== 'Replace') return [];
  const slow = slowSince(situation);
  return stragglersIn(situation, slow).map((one) => ({
    ...{ ...placeOf(one, situation), id: `pod-${one.uid}`, kind: 'Straggler', grade: 'Pod' as const },
    message: slownessOf(one, situation, slow),
  }));
}
