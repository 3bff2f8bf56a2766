import type { Partition } from '../../../../operator/engines/kafka/partitions/partitions.js';

/** A partition of topic `t` with all replicas in sync. */
export function partition(replicas: readonly number[], props: Partial<Partition> = {}): Partition {
  return {
    ...{ topic: 't', partition: 0, leader: replicas[0], replicas, inSync: replicas },
    ...{ adding: [], removing: [], minInSync: 2, bytes: 0 },
    ...props,
  };
}

/** Partitions of one topic, by the replicas of each. */
export function topic(name: string, replicas: readonly (readonly number[])[], bytes = 0): readonly Partition[] {
  return replicas.map((ids, number) => partition(ids, { topic: name, partition: number, bytes }));
}

/** Brokers by id, with a rack each. */
export function brokers(
  racks: Readonly<Record<number, string>>,
): readonly { readonly id: number; readonly rack: string }[] {
  return Object.entries(racks).map(([id, rack]) => ({ id: Number(id), rack }));
}
