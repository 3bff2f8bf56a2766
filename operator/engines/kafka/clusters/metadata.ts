import type { BrokerVolume, ClusterAnswer, QuorumMember } from '../../../controllers/kafka/ports/cluster.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { DescribedBroker } from '../connection/missing-calls.js';
import type { KafkaSession } from '../connection/session.js';
import { kafkaUuid } from '../connection/uuids.js';
import type { BrokerDisks } from '../partitions/load.js';
import type { Partition } from '../partitions/partitions.js';
import { configsOf } from './configs.js';

/** Milliseconds. A broker that needs longer has no part in the answer. */
export const brokerPatience = 2_000;
/** Milliseconds that the metadata of a broker may be behind that of the controllers. */
const longestLag = 10_000;

/** The metadata of a cluster, as one broker has it. */
export interface Metadata {
  readonly clusterId: string;
  readonly brokers: readonly DescribedBroker[];
  readonly quorum: ClusterAnswer['quorum'];
  readonly partitions: readonly Partition[];
}

/** Disks of brokers that answer, and the bytes of partitions. */
export interface Sizes {
  readonly disks: ReadonlyMap<number, BrokerDisks>;
  /** The largest replica of each, by number and topic. */
  readonly partitions: ReadonlyMap<string, number>;
}

/**
 * Reads the metadata.
 * @throws {CallError} `retryable`, if the broker that answers has lost the controllers, whose metadata is old
 */
export async function metadataOf(session: KafkaSession): Promise<Metadata> {
  // The first request finds a broker, to which the others go too.
  const { clusterId, brokers } = await session.ask('describeCluster', []);
  const [quorum, { topics }, reassignments] = await Promise.all([
    quorumOf(session),
    session.ask('metadata', [null], { partly: true }),
    session.ask('listReassignments', [brokerPatience, null as never]),
  ]);
  checkLag(session, brokers, quorum);
  checkTopics(session, topics);
  const owners = topics.flatMap(({ name }) => (name ? [{ type: 'topic' as const, name }] : []));
  const configs = await configsOf(session, owners, [minInSync]);
  const moving = new Map(
    reassignments.topics.flatMap(({ name, partitions }) =>
      partitions.map((one) => [keyOf(name, one.partitionIndex), one] as const),
    ),
  );
  const partitions = topics.flatMap(({ name, partitions: all }) =>
    all.map((one): Partition => {
      const topic = name ?? '';
      const move = moving.get(keyOf(topic, one.partitionIndex));
      return {
        ...{ topic, partition: one.partitionIndex, replicas: one.replicaNodes, inSync: one.isrNodes },
        leader: one.leaderId < 0 ? undefined : one.leaderId,
        ...{ adding: move?.addingReplicas ?? [], removing: move?.removingReplicas ?? [] },
        minInSync: wholeNumber(configs.get(topic)?.find((entry) => entry.name === minInSync)?.value),
        bytes: 0,
      };
    }),
  );
  return { clusterId, brokers, quorum, partitions };
}

const minInSync = 'min.insync.replicas';
/** UNKNOWN_TOPIC_OR_PARTITION: the topic is being deleted. */
const isGone = 3;

/** Undefined for a value that is missing, or no positive whole number. */
function wholeNumber(value: string | undefined): number | undefined {
  const number = value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * A topic with an error has no partitions in the response, so its brokers would look empty.
 * @throws {CallError} for the first such topic
 */
function checkTopics(
  session: KafkaSession,
  topics: readonly { readonly name?: string | null; readonly errorCode: number }[],
): void {
  const failed = topics.find(({ errorCode }) => errorCode !== 0 && errorCode !== isGone);
  if (!failed) return;
  const { kind, message } = session.refusal(failed.errorCode, undefined);
  throw new CallError(kind, `Topic ${failed.name}: ${message}`, { mayHaveEffect: false });
}

function keyOf(topic: string, partition: number): string {
  return `${partition} ${topic}`;
}

/** The metadata quorum, as its leader sees it. */
export async function quorumOf(session: KafkaSession): Promise<ClusterAnswer['quorum']> {
  const asked = [{ topicName: '__cluster_metadata', partitions: [{ partitionIndex: 0 }] }];
  const { topics } = await session.ask('describeQuorum', [asked] as never);
  const partition = topics[0]?.partitions[0];
  if (!partition) throw new CallError('retryable', 'The metadata quorum has no state yet', { mayHaveEffect: false });
  const members = (of: typeof partition.currentVoters): readonly QuorumMember[] =>
    of.map(({ replicaId, replicaDirectoryId, logEndOffset, lastCaughtUpTimestamp: at }) => ({
      ...{ id: replicaId, directoryId: kafkaUuid(replicaDirectoryId), logEndOffset: Number(logEndOffset) },
      ...(at > 0n && { caughtUpAt: Number(at) }),
    }));
  const [voters, observers] = [members(partition.currentVoters), members(partition.observers)];
  return { leader: partition.leaderId, voters, observers };
}

/** Milliseconds that a member is behind the leader. Undefined if the leader does not know it yet. */
export function lagOf({ leader, voters, observers }: ClusterAnswer['quorum'], id: number): number | undefined {
  const now = voters.find((member) => member.id === leader)?.caughtUpAt;
  const at = [...voters, ...observers].find((member) => member.id === id)?.caughtUpAt;
  return now === undefined || at === undefined ? undefined : now - at;
}

function checkLag(session: KafkaSession, brokers: readonly DescribedBroker[], quorum: ClusterAnswer['quorum']): void {
  const broker = brokers.find(({ host, port }) => host === session.broker?.host && port === session.broker.port);
  const lag = broker && lagOf(quorum, broker.id);
  if (lag !== undefined && lag <= longestLag) return;
  session.distrust();
  const name = broker ? `broker ${broker.id}` : 'a broker that is not registered';
  const age = lag === undefined ? 'of unknown age' : `${Math.round(lag / 1_000)} s old`;
  const message = `The metadata of ${name} is ${age}`;
  throw new CallError('retryable', message, { mayHaveEffect: false });
}

/** The log directories of brokers that serve. One that does not answer in time is absent. */
export async function sizesOf(session: KafkaSession, brokers: readonly DescribedBroker[]): Promise<Sizes> {
  const disks = new Map<number, BrokerDisks>();
  const partitions = new Map<string, number>();
  await ofEach(brokers, async (broker) => {
    // A volume that failed has an error of its own.
    const at = { at: broker, within: brokerPatience, partly: true };
    const { errorCode, results } = await session.ask('describeLogDirs', [null as never], at);
    if (errorCode !== 0) return;
    let bytes = 0;
    for (const { name, partitions: all } of results.flatMap(({ topics }) => topics)) {
      for (const { partitionIndex, partitionSize } of all) {
        const [size, key] = [Number(partitionSize), keyOf(name, partitionIndex)];
        bytes += size;
        partitions.set(key, Math.max(partitions.get(key) ?? 0, size));
      }
    }
    disks.set(broker.id, { bytes, ...(results.length > 0 && { volumes: results.map(volumeOf) }) });
  });
  return { disks, partitions };
}

/** KAFKA_STORAGE_ERROR */
const storageError = 56;

function volumeOf(directory: {
  readonly errorCode: number;
  readonly logDir: string;
  readonly totalBytes: bigint;
  readonly usableBytes: bigint;
}): BrokerVolume {
  const { errorCode, logDir, totalBytes, usableBytes } = directory;
  return {
    directory: logDir,
    ...(totalBytes >= 0n && { size: { total: Number(totalBytes), usable: Number(usableBytes) } }),
    ...(errorCode === storageError && { hasFailed: true }),
  };
}

/** Levels of `metadata.version` that all serving brokers support. One that does not answer in time supports none. */
export async function metadataVersionOf(
  session: KafkaSession,
  brokers: readonly DescribedBroker[],
): Promise<ClusterAnswer['metadataVersion']> {
  const own = await session.ask('features', []);
  const ranges = [own.supported[metadataVersion] ?? noLevel];
  const answered = new Set<number>();
  await ofEach(brokers, async (broker) => {
    const { supported } = await session.ask('features', [], { at: broker, within: brokerPatience });
    ranges.push(supported[metadataVersion] ?? noLevel);
    answered.add(broker.id);
  });
  if (brokers.some(({ id, isFenced }) => !isFenced && !answered.has(id))) ranges.push(noLevel);
  const finalized = own.finalized[metadataVersion];
  return {
    ...(finalized !== undefined && { finalized }),
    minimum: Math.max(...ranges.map(({ minimum }) => minimum)),
    maximum: Math.min(...ranges.map(({ maximum }) => maximum)),
  };
}

const metadataVersion = 'metadata.version';
const noLevel = { minimum: 0, maximum: 0 } as const;

/** Asks each broker that serves. One that fails takes nothing from the others. */
export async function ofEach(
  brokers: readonly DescribedBroker[],
  ask: (broker: DescribedBroker) => Promise<void>,
): Promise<void> {
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  await Promise.all(serving.map((broker) => ask(broker).catch(() => {})));
}

/** Partitions with the bytes of each. */
export function sized(partitions: readonly Partition[], sizes: Sizes): readonly Partition[] {
  return partitions.map((one) => ({ ...one, bytes: sizes.partitions.get(keyOf(one.topic, one.partition)) ?? 0 }));
}
