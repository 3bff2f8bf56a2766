import type { BrokerLoad, BrokerVolume, ClusterAnswer } from '../../../controllers/kafka/ports/cluster.js';
import { disruptionOf, type ReplicatedGroup } from '../../../disruption/disruption.js';
import { neededInSync, originalOf, type Partition, partitionName } from './partitions.js';

/** The disks of a broker that answered. */
export interface BrokerDisks {
  readonly bytes: number;
  readonly volumes?: readonly BrokerVolume[];
}

/** Names in an answer. */
const shown = 5;

/**
 * What each broker has, by its id.
 * @param ids the registered brokers. Those that have a replica are added
 */
export function loadOf(
  partitions: readonly Partition[],
  ids: readonly number[],
  disks: ReadonlyMap<number, BrokerDisks>,
): Readonly<Record<number, BrokerLoad>> {
  const counts = new Map(ids.map((id) => [id, new Count()]));
  const countOf = (id: number) => {
    const count = counts.get(id) ?? new Count();
    counts.set(id, count);
    return count;
  };
  for (const partition of partitions) {
    const { replicas, inSync, leader } = partition;
    const original = originalOf(partition);
    const group = groupOf(partition);
    // A replica that is not in sync counts too: without it, the partition may never reach its minimum.
    if (!group) for (const id of replicas) countOf(id).unknownMinIsr.add(partition.topic);
    for (const id of replicas) countOf(id).replicas++;
    if (leader !== undefined) countOf(leader).leaders++;
    if (replicas[0] !== undefined) countOf(replicas[0]).preferred++;
    if (inSync.length === 1 && inSync[0] !== undefined) countOf(inSync[0]).sole++;
    if (original.length === 1 && original[0] !== undefined) countOf(original[0]).unreplicated++;
    for (const id of group ? inSync : []) {
      const disruption = disruptionOf(String(id), group && [group]);
      if (disruption === 'Safe') continue;
      if (disruption === 'Unavoidable') countOf(id).unavoidable++;
      countOf(id).blocking.push(partition);
    }
    // A replica that catches up is about to bring its partition back to the minimum.
    if (group && inSync.length < group.needed)
      for (const id of replicas) if (!inSync.includes(id)) countOf(id).blocking.push(partition);
  }
  return Object.fromEntries([...counts].map(([id, count]) => [id, { ...count.load(), ...disks.get(id) }]));
}

/** Undefined if nobody knows how many replicas must be in sync. */
function groupOf(partition: Partition): ReplicatedGroup | undefined {
  const { replicas, inSync } = partition;
  const needed = neededInSync(partition);
  if (needed === undefined) return undefined;
  const members = replicas.map((id) => ({ name: String(id), state: inSync.includes(id) ? 'up' : 'down' }) as const);
  return { members, needed };
}

class Count {
  replicas = 0;
  leaders = 0;
  preferred = 0;
  sole = 0;
  unreplicated = 0;
  unavoidable = 0;
  readonly blocking: Partition[] = [];
  readonly unknownMinIsr = new Set<string>();

  load(): BrokerLoad {
    const { blocking, unknownMinIsr, ...counted } = this;
    const names = blocking.map(partitionName).sort(inNaturalOrder);
    const topics = [...unknownMinIsr].sort(inNaturalOrder);
    return {
      ...{ ...counted, blocking: blocking.length, blockingNames: names.slice(0, shown) },
      ...{ unknownMinIsr: topics.length, unknownMinIsrTopics: topics.slice(0, shown) },
    };
  }
}

const { compare: inNaturalOrder } = new Intl.Collator('en', { numeric: true });

/** Counts over all partitions. */
export function partitionCounts(partitions: readonly Partition[]): ClusterAnswer['partitions'] {
  const counts = { underReplicated: 0, underMinIsr: 0, offline: 0, reassigning: 0 };
  let highest: Partition | undefined;
  for (const partition of partitions) {
    const { inSync, leader, adding, removing } = partition;
    if (isUnderReplicated(partition)) counts.underReplicated++;
    if (inSync.length < (neededInSync(partition) ?? 0)) counts.underMinIsr++;
    if (leader === undefined) counts.offline++;
    if (adding.length > 0 || removing.length > 0) counts.reassigning++;
    if (!highest || originalOf(partition).length > originalOf(highest).length) highest = partition;
  }
  return {
    ...{ total: partitions.length, ...counts },
    highestReplication: highest ? originalOf(highest).length : 0,
    ...(highest && { highestTopic: highest.topic }),
  };
}

/** Whether a replica is not in sync, not counting those that a reassignment adds. */
export function isUnderReplicated(partition: Pick<Partition, 'replicas' | 'adding' | 'inSync'>): boolean {
  return originalOf(partition).some((id) => !partition.inSync.includes(id));
}
