import type { Moves, RebalanceQuestion } from '../../../controllers/kafka/ports/cluster.js';
import type { AssignedReplicas } from '../connection/missing-calls.js';
import { balance } from './balance.js';
import { type Partition, targetOf } from './partitions.js';
import { type Candidate, type Placed, Placement } from './placement.js';

/**
 * The partitions that get other replicas, or another order of them, when brokers must not keep any and the rest is spread
 * over others. Empty if all is well: after the reassignment, the same question has no answer.
 *
 * Guarantee: no partition has fewer replicas than before, and none is in fewer racks, unless a leaving broker was the only
 * one in its rack.
 * @param brokers the registered brokers that can take replicas
 */
export function reassignmentFor(
  partitions: readonly Partition[],
  brokers: readonly Candidate[],
  { from, onto }: RebalanceQuestion,
): readonly AssignedReplicas[] {
  const registered = new Set(brokers.map(({ id }) => id));
  const targets = onto.filter((id) => registered.has(id) && !from.includes(id));
  const placement = new Placement(placedOf(partitions), brokers);
  leave(placement, from, targets);
  balance(placement, targets);
  return changed(placement);
}

/**
 * The partitions that get other replicas so that each has this many. Without enough brokers they get as many as possible.
 * Replicas that are not in sync are removed first, and the preferred leader only if it is one of them.
 */
export function replicationFor(
  partitions: readonly Partition[],
  brokers: readonly Candidate[],
  replication: number,
): readonly AssignedReplicas[] {
  const placement = new Placement(placedOf(partitions), brokers);
  const onto = brokers.map(({ id }) => id);
  for (const placed of placement.placed) {
    while (placed.replicas.length > Math.max(replication, 1)) placement.remove(placed, leastNeeded(placed, placement));
    for (let missing = replication - placed.replicas.length; missing > 0; missing--) {
      const best = placement.best(placed, placed.replicas, onto);
      if (best !== undefined) placement.add(placed, best);
    }
  }
  return changed(placement);
}

/** What a reassignment moves. The order of replicas costs nothing. */
export function movesOf(reassignment: readonly AssignedReplicas[], partitions: readonly Partition[]): Moves {
  const known = new Map(partitions.map((partition) => [keyOf(partition), partition]));
  const copies = reassignment.map((assigned) => {
    const partition = known.get(keyOf(assigned));
    const added = assigned.replicas.filter((id) => !partition?.replicas.includes(id));
    return { added, bytes: partition?.bytes ?? 0, leader: partition?.leader };
  });
  const [sent, received] = [new Map<number, number>(), new Map<number, number>()];
  const count = (sums: Map<number, number>, id: number, bytes: number) => sums.set(id, (sums.get(id) ?? 0) + bytes);
  for (const { added, bytes, leader } of copies) {
    for (const id of added) count(received, id, bytes);
    if (leader !== undefined) count(sent, leader, added.length * bytes);
  }
  return {
    partitions: copies.filter(({ added }) => added.length > 0).length,
    bytes: [...received.values()].reduce((sum, bytes) => sum + bytes, 0),
    busiest: Math.max(0, ...sent.values(), ...received.values()),
  };
}

function placedOf(partitions: readonly Partition[]): readonly Placed[] {
  return partitions.map((of) => ({ of, replicas: [...targetOf(of)] }));
}

function keyOf({ topic, partition }: Pick<Partition, 'topic' | 'partition'>): string {
  return `${partition} ${topic}`;
}

/** A partition that no broker can take keeps its replica: a copy in the wrong place is better than none. */
function leave(placement: Placement, from: readonly number[], targets: readonly number[]): void {
  const leaving = new Set(from);
  for (const placed of placement.placed) {
    for (const id of placed.replicas.filter((replica) => leaving.has(replica))) {
      const kept = placed.replicas.filter((replica) => replica !== id);
      const best = placement.best(placed, kept, targets);
      if (best !== undefined) placement.move(placed, id, best);
    }
  }
}

function leastNeeded({ of, replicas }: Placed, placement: Placement): number {
  const rest = replicas.slice(1);
  // Kafka deletes a removed replica at once: the rest may have one copy of the records, or none, if it is not in sync.
  const hasCopies = replicas.some((id) => of.inSync.includes(id));
  const stale = (hasCopies ? replicas : rest).filter((id) => !of.inSync.includes(id));
  const ofSharedRack = rest.filter((id) =>
    replicas.some((other) => other !== id && placement.rackOf(other) === placement.rackOf(id)),
  );
  return stale.at(-1) ?? ofSharedRack.at(-1) ?? rest.at(-1) ?? -1;
}

function changed({ placed }: Placement): readonly AssignedReplicas[] {
  return placed.flatMap(({ of, replicas }) => {
    const before = targetOf(of);
    const isSame = before.length === replicas.length && before.every((id, index) => id === replicas[index]);
    return isSame ? [] : [{ topic: of.topic, partition: of.partition, replicas }];
  });
}
