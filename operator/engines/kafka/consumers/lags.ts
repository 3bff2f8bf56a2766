import type { ConsumersAnswer, GroupLag } from '../../../controllers/kafka/ports/consumers.js';

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** The offset of the next record that a group reads. */
export interface CommittedOffset extends TopicPartition {
  readonly group: string;
  readonly offset: bigint;
}

/** The same text for the same partition. Names of topics have no spaces. */
export function partitionKey({ topic, partition }: TopicPartition): string {
  return `${partition} ${topic}`;
}

/**
 * The lag of each group in each topic, the furthest behind up to a limit, sorted by group and topic.
 * @param ends offsets after the last records. A partition without one is left out
 */
export function lagsOf(
  committed: readonly CommittedOffset[],
  ends: ReadonlyMap<string, bigint>,
  most: number,
): ConsumersAnswer {
  const sums = new Map<string, GroupLag>();
  for (const one of committed) {
    const end = ends.get(partitionKey(one));
    if (end === undefined) continue;
    const { group, topic, offset } = one;
    const key = JSON.stringify([group, topic]);
    // A topic that was deleted and created again ends before the offsets of the earlier one.
    const behind = end > offset ? Number(end - offset) : 0;
    sums.set(key, { group, topic, lag: (sums.get(key)?.lag ?? 0) + behind });
  }
  const all = [...sums.values()].toSorted((a, b) => b.lag - a.lag || byName(a, b));
  return { lags: all.slice(0, most).toSorted(byName), omitted: Math.max(0, all.length - most) };
}

function byName(a: GroupLag, b: GroupLag): number {
  return compared(a.group, b.group) || compared(a.topic, b.topic);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
