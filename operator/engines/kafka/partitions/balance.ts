import { groupedBy } from '../connection/grouped-by.js';
import type { Placed, Placement } from './placement.js';

/** Passes over all partitions, of which the last one changes nothing. A limit for clusters with many thousands. */
const passes = 64;
/** Brokers whose bytes differ by less than this share of the mean count as equal. */
const tolerance = 0.1;
/** Partners that are tried for an exchange. */
const tries = 64;

/**
 * Spreads replicas over brokers: those of each topic, then all, then their bytes, then the preferred leaders. Each step keeps
 * what the ones before it reached, so it ends.
 */
export function balance(placement: Placement, onto: readonly number[]): void {
  repeat(() => {
    const steps = [balanceTopics, balanceReplicas, balanceBytes];
    return steps.map((step) => step(placement, onto)).includes(true);
  });
  spreadPreferredLeaders(placement, onto);
}

/** Until the numbers of replicas of a topic on any two brokers differ by one at most, as far as racks permit. */
function balanceTopics(placement: Placement, onto: readonly number[]): boolean {
  const topics = groupedBy(placement.placed, ({ of }) => of.topic);
  const hasMoved = [...topics].map(([topic, placed]) => {
    const weigh = (id: number) => placement.topicOn(topic, id);
    return repeat(() => levelled(placement, { placed, onto, weigh }));
  });
  return hasMoved.includes(true);
}

/** Likewise for all replicas, without a change to the spread of any topic. */
function balanceReplicas(placement: Placement, onto: readonly number[]): boolean {
  return repeat(() =>
    levelled(placement, {
      ...{ placed: placement.placed, onto, weigh: (id: number) => placement.replicasOn(id) },
      may: ({ of: { topic } }, from, to) => placement.topicOn(topic, from) > placement.topicOn(topic, to),
    }),
  );
}

interface Levelling {
  readonly placed: readonly Placed[];
  readonly onto: readonly number[];
  readonly weigh: (id: number) => number;
  /** @default - every move is right that levels */
  readonly may?: (placed: Placed, from: number, to: number) => boolean;
}

/** One pass. @returns whether it moved a replica */
function levelled(placement: Placement, { placed, onto, weigh, may = () => true }: Levelling): boolean {
  const among = new Set(onto);
  let hasMoved = false;
  for (const one of placed) {
    for (const from of one.replicas.filter((id) => among.has(id))) {
      const to = onto
        .filter((id) => weigh(from) - weigh(id) >= 2 && may(one, from, id) && placement.mayMove(one, from, id))
        .sort(
          (a, b) => weigh(a) - weigh(b) || placement.replicasOn(a) - placement.replicasOn(b) || bytes(placement, a, b),
        )
        .at(0);
      if (to === undefined) continue;
      placement.move(one, from, to);
      hasMoved = true;
    }
  }
  return hasMoved;
}

function bytes(placement: Placement, one: number, other: number): number {
  return placement.bytesOn(one) - placement.bytesOn(other) || one - other;
}

/** Exchanges large partitions for small ones, while the numbers of replicas stay. */
function balanceBytes(placement: Placement, onto: readonly number[]): boolean {
  const total = onto.reduce((sum, id) => sum + placement.bytesOn(id), 0);
  const allowed = (tolerance * total) / Math.max(onto.length, 1);
  const bySize = [...placement.placed].sort((one, other) => other.of.bytes - one.of.bytes);
  const light = (from: number) =>
    onto
      .filter((id) => placement.bytesOn(from) - placement.bytesOn(id) > allowed)
      .sort((one, other) => bytes(placement, one, other));
  return repeat(() => {
    let hasMoved = false;
    for (const large of bySize) {
      for (const from of large.replicas.filter((id) => onto.includes(id))) {
        for (const to of light(from)) {
          const small = partnerFor(placement, bySize, { large, from, to });
          if (!small) continue;
          placement.move(large, from, to);
          placement.move(small, to, from);
          hasMoved = true;
          break;
        }
      }
    }
    return hasMoved;
  });
}

interface Exchange {
  readonly large: Placed;
  readonly from: number;
  readonly to: number;
}

/** The partition whose exchange brings two brokers closest, among some that leave the spread of their topics as it is. */
function partnerFor(
  placement: Placement,
  bySize: readonly Placed[],
  { large, from, to }: Exchange,
): Placed | undefined {
  if (!placement.mayMove(large, from, to)) return undefined;
  const difference = placement.bytesOn(from) - placement.bytesOn(to);
  let best: { readonly small: Placed; readonly rest: number } | undefined;
  let tried = 0;
  for (let at = bySize.length - 1; at >= 0 && tried < tries; at--) {
    const small = bySize[at];
    if (!small?.replicas.includes(to)) continue;
    const gain = large.of.bytes - small.of.bytes;
    // The smallest come first, and an exchange that only swaps the two brokers would be made again.
    if (gain <= 0) break;
    if (gain >= difference || !isExchange(placement, small, { large, from, to })) continue;
    tried++;
    const rest = Math.abs(difference - 2 * gain);
    if (!best || rest < best.rest) best = { small, rest };
  }
  return best && best.rest < difference ? best.small : undefined;
}

function isExchange(placement: Placement, small: Placed, { large, from, to }: Exchange): boolean {
  const { topic } = large.of;
  const keepsTopics =
    small.of.topic === topic ||
    (placement.topicOn(topic, from) > placement.topicOn(topic, to) &&
      placement.topicOn(small.of.topic, to) > placement.topicOn(small.of.topic, from));
  return keepsTopics && placement.mayMove(small, to, from);
}

/** Makes brokers with few preferred leaders the first replica of some partitions that they have. No data moves. */
function spreadPreferredLeaders(placement: Placement, onto: readonly number[]): void {
  const among = new Set(onto);
  const counts = new Map(onto.map((id) => [id, 0]));
  const countOf = (id: number) => counts.get(id) ?? 0;
  for (const { replicas } of placement.placed) {
    const [first] = replicas;
    if (first !== undefined) counts.set(first, countOf(first) + 1);
  }
  repeat(() => {
    let hasMoved = false;
    for (const { replicas } of placement.placed) {
      const [first] = replicas;
      if (first === undefined) continue;
      const fewest = replicas
        .filter((id) => among.has(id))
        .sort((one, other) => countOf(one) - countOf(other) || one - other)[0];
      if (fewest === undefined || countOf(first) - countOf(fewest) < 2) continue;
      replicas[replicas.indexOf(fewest)] = first;
      replicas[0] = fewest;
      counts.set(first, countOf(first) - 1);
      counts.set(fewest, countOf(fewest) + 1);
      hasMoved = true;
    }
    return hasMoved;
  });
}

/** @returns whether a pass changed something */
function repeat(pass: () => boolean): boolean {
  let count = 0;
  while (count < passes && pass()) count++;
  return count > 0;
}
