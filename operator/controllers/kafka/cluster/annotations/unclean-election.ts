import type { KafkaClusterResource, KafkaClusterStatus } from '../../../../../imports/index.js';
import { type ResourceEvent, timestampOf } from '../../../../runtime/index.js';
import type { ClusterAnswer, PartitionRef, PartitionState } from '../../ports/cluster.js';

/**
 * Annotation with which a person names partitions that get a leader without all records, such as `orders-0,orders-3`. It
 * counts once: `status.uncleanElection` has its value when the partitions have leaders.
 */
export const uncleanAnnotation = 'reconstruct.dev/unclean';

type Recorded = NonNullable<KafkaClusterStatus['uncleanElection']>;
const most = 64;
/** Characters of a value that the status can have. */
const longest = 4_096;

/** An unclean election that a person asked for. */
export interface UncleanElection {
  /** Why none takes place. */
  readonly refusal?: string;
  /** What is recorded for the value of the annotation: from then on the operator elects. */
  readonly recorded?: Recorded;
  /** The partitions that the annotation names. */
  readonly named: readonly PartitionState[];
}

/** The partitions in the annotation. Undefined without one. */
export function uncleanPartitions({ metadata }: Pick<KafkaClusterResource, 'metadata'>) {
  const value = metadata.annotations?.[uncleanAnnotation]?.trim();
  if (value === undefined || value === '') return undefined;
  const texts = [...new Set(value.split(',').map((one) => one.trim()))];
  const parsed = texts.map((one) => ({ one, ref: partitionIn(one) }));
  const wrong = parsed.filter(({ ref }) => ref === undefined).map(({ one }) => JSON.stringify(one));
  return { value, partitions: parsed.flatMap(({ ref }) => ref ?? []), wrong };
}

function partitionIn(text: string): PartitionRef | undefined {
  const [, topic, digits] = /^([a-zA-Z0-9._-]{1,249})-(0|[1-9]\d{0,5})$/.exec(text) ?? [];
  return topic === undefined ? undefined : { topic, partition: Number(digits) };
}

/** The election that the annotation asks for. Undefined without one, and after it took place. */
export function uncleanElectionIn(
  resource: Pick<KafkaClusterResource, 'metadata' | 'status'>,
  cluster: ClusterAnswer | undefined,
): UncleanElection | undefined {
  const asked = uncleanPartitions(resource);
  const recorded = resource.status?.uncleanElection;
  if (!asked) return undefined;
  const { value, partitions, wrong } = asked;
  const isRecorded = recorded?.requested === value;
  if (isRecorded && recorded.electedTime !== undefined) return undefined;
  const refused = (refusal: string) => ({ refusal: `annotation ${uncleanAnnotation} ${refusal}`, named: [] });
  if (wrong.length > 0)
    return refused(`names ${wrong.join(', ')}, which is no partition; write TOPIC-NUMBER, separated by commas`);
  if (partitions.length > most) return refused(`names ${partitions.length} partitions; name at most ${most} at once`);
  if (value.length > longest)
    return refused(`has ${value.length} characters; name fewer partitions at once, with at most ${longest} characters`);
  const named = cluster?.asked?.filter((one) => partitions.some((ref) => isSame(one, ref))) ?? [];
  if (isRecorded) return { recorded, named };
  if (!cluster?.asked) return { named };
  const missing = partitions.filter((ref) => !named.some((one) => isSame(one, ref)));
  if (missing.length > 0) return refused(`names ${namesOf(missing)}, which Kafka does not have; correct it`);
  const led = named.filter(({ leader }) => leader !== undefined);
  if (led.length > 0)
    return refused(`names ${namesOf(led)}, which has a leader and loses nothing; name partitions without a leader`);
  return { named };
}

/** The partitions that get a leader. One that has had one since is not elected again, whatever happens to the others. */
export function electedNext({ named, recorded }: UncleanElection): readonly PartitionRef[] {
  const hasHadLeader = (one: PartitionRef) =>
    recorded?.partitions.some((of) => isSame(of, one) && of.leader !== undefined) ?? false;
  return named
    .filter((one) => one.leader === undefined && !hasHadLeader(one))
    .map(({ topic, partition }) => ({ topic, partition }));
}

function isSame(one: PartitionRef, other: PartitionRef): boolean {
  return one.topic === other.topic && one.partition === other.partition;
}

/** Partitions as Kafka's tools show them. */
export function namesOf(partitions: readonly PartitionRef[]): string {
  return partitions.map(({ topic, partition }) => `${topic}-${partition}`).join(', ');
}

/** What the status records of an election, and the event when all partitions have a leader. */
export function uncleanReport(
  resource: Pick<KafkaClusterResource, 'metadata' | 'status'>,
  election: UncleanElection | undefined,
  now: number,
): { readonly status: Pick<KafkaClusterStatus, 'uncleanElection'>; readonly events: readonly ResourceEvent[] } {
  const before = resource.status?.uncleanElection;
  const kept = { status: { ...(before && { uncleanElection: before }) }, events: [] };
  const asked = uncleanPartitions(resource);
  if (!asked) {
    // Without the annotation, the same value can be asked for again.
    if (!before) return kept;
    const { requested: _, ...rest } = before;
    return { ...kept, status: { uncleanElection: rest } };
  }
  if (!election || election.refusal !== undefined || election.named.length === 0) return kept;
  const { recorded, named } = election;
  if (!recorded) {
    const partitions = named.map(({ topic, partition, inSync }) => ({ topic, partition, inSync: [...inSync] }));
    return { ...kept, status: { uncleanElection: { requested: asked.value, partitions } } };
  }
  const partitions = recorded.partitions.map((one) => ({ ...leaderOf(one, named), ...one }));
  if (partitions.some(({ leader }) => leader === undefined))
    return { ...kept, status: { uncleanElection: { ...recorded, partitions } } };
  return {
    status: { uncleanElection: { ...recorded, partitions, electedTime: timestampOf(now) } },
    events: partitions.map(electedEvent),
  };
}

function leaderOf(of: PartitionRef, named: readonly PartitionState[]): { readonly leader?: number } {
  const leader = named.find((one) => isSame(one, of))?.leader;
  return leader === undefined ? {} : { leader };
}

function electedEvent({ topic, partition, inSync, leader = -1 }: Recorded['partitions'][number]): ResourceEvent {
  const name = `${topic}-${partition}`;
  if (inSync.includes(leader))
    return { type: 'Normal', reason: 'LeaderReturned', note: `${name} is led by broker ${leader} with all records` };
  // The list is empty when all in-sync replicas failed at once.
  const who = inSync.length === 0 ? 'brokers that do not run' : `broker ${inSync.join(' and ')}`;
  return {
    ...{ type: 'Warning', reason: 'UncleanLeaderElected' },
    note: `${name} is led by broker ${leader}, which may lack acknowledged records: those that only ${who} had are lost`,
  };
}
