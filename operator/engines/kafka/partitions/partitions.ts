import type { PartitionRef, PartitionState } from '../../../controllers/kafka/ports/cluster.js';

/** A partition, as the metadata of its cluster has it. */
export interface Partition {
  readonly topic: string;
  readonly partition: number;
  /** Undefined if it has none, so that it serves nothing. */
  readonly leader: number | undefined;
  /** The brokers with a replica, in order of preference, with those that a reassignment adds or removes. */
  readonly replicas: readonly number[];
  readonly inSync: readonly number[];
  /** Brokers to which a reassignment copies it. */
  readonly adding: readonly number[];
  /** Brokers that lose it when the reassignment ends. */
  readonly removing: readonly number[];
  /** In-sync replicas that a write with acks=all needs. Undefined if the brokers did not report it. */
  readonly minInSync: number | undefined;
  /** Of its largest replica. 0 if unknown. */
  readonly bytes: number;
}

/** The name that Kafka's tools show. */
export function partitionName({ topic, partition }: Pick<Partition, 'topic' | 'partition'>): string {
  return `${topic}-${partition}`;
}

/** The state of the partitions that are named, without those that do not exist. */
export function askedPartitions(
  partitions: readonly Partition[],
  named: readonly PartitionRef[],
): readonly PartitionState[] {
  return named.flatMap(({ topic, partition }) => {
    const found = partitions.find((one) => one.topic === topic && one.partition === partition);
    if (!found) return [];
    const { leader, replicas, inSync } = found;
    return [{ topic, partition, ...(leader !== undefined && { leader }), replicas, inSync }];
  });
}

/** The replicas that it has when its reassignment ends. */
export function targetOf({ replicas, removing }: Pick<Partition, 'replicas' | 'removing'>): readonly number[] {
  return removing.length === 0 ? replicas : replicas.filter((id) => !removing.includes(id));
}

/** The replicas that it had before its reassignment began. */
export function originalOf({ replicas, adding }: Pick<Partition, 'replicas' | 'adding'>): readonly number[] {
  return adding.length === 0 ? replicas : replicas.filter((id) => !adding.includes(id));
}

/**
 * The number of in-sync replicas below which writes stop, or below which no copy is left. Undefined if min.insync.replicas
 * is not known. A partition with one replica needs it in any case.
 */
export function neededInSync(partition: Pick<Partition, 'replicas' | 'adding' | 'minInSync'>): number | undefined {
  const { length } = originalOf(partition);
  if (length <= 1) return length;
  return partition.minInSync === undefined ? undefined : Math.min(length, partition.minInSync);
}
