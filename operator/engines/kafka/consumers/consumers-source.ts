import type { ConsumersAnswer, ConsumersQuestion } from '../../../controllers/kafka/ports/consumers.js';
import type { SourceCallOptions } from '../../../runtime/ports/external-port.js';
import type { Connections } from '../connection/connections.js';
import { groupedBy } from '../connection/grouped-by.js';
import type { DescribedBroker } from '../connection/missing-calls.js';
import { KafkaSession } from '../connection/session.js';
import { type CommittedOffset, lagsOf, partitionKey, type TopicPartition } from './lags.js';

/** Milliseconds. Without a broker that needs longer, the answer would lack groups, so it fails. */
const brokerPatience = 5_000;
/** Groups in one request. */
const batch = 100;
/** The timestamp that asks for the offset after the last record. */
const latest = -1n;

/**
 * Reads how far consumer groups are behind: each broker lists the groups that it coordinates, and their committed offsets. The
 * leaders have the ends of the partitions.
 */
export async function consumerLags(
  connections: Connections,
  question: ConsumersQuestion,
  { signal }: Pick<SourceCallOptions, 'signal'>,
): Promise<ConsumersAnswer> {
  const session = await KafkaSession.open(connections, question, { signal });
  const { brokers } = await session.ask('describeCluster', []);
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  const committed = (await Promise.all(serving.map((broker) => committedAt(session, broker)))).flat();
  return lagsOf(committed, await endsOf(session, serving, committed), question.most);
}

/** The offsets of the groups that a broker coordinates. A group that has just moved to another broker is left out. */
async function committedAt(session: KafkaSession, at: DescribedBroker): Promise<readonly CommittedOffset[]> {
  const options = { at, within: brokerPatience };
  const { groups } = await session.ask('listGroups', [[], []], options);
  // Share groups commit no offsets.
  const ids = groups.filter(({ groupType }) => groupType.toLowerCase() !== 'share').map(({ groupId }) => groupId);
  const committed: CommittedOffset[] = [];
  for (let first = 0; first < ids.length; first += batch) {
    const asked = ids.slice(first, first + batch).map((groupId) => ({
      ...{ groupId, memberId: null, memberEpoch: -1, topics: null },
    }));
    const answer = await session.ask('offsetFetch', [asked, false], { ...options, partly: true });
    for (const { groupId: group, topics } of answer.groups.filter(({ errorCode }) => errorCode === 0)) {
      for (const { name: topic, partitions } of topics) {
        for (const { partitionIndex: partition, committedOffset: offset, errorCode } of partitions)
          if (errorCode === 0 && offset >= 0n) committed.push({ group, topic, partition, offset });
      }
    }
  }
  return committed;
}

/** The offsets after the last records, asked of the leaders. */
async function endsOf(
  session: KafkaSession,
  brokers: readonly DescribedBroker[],
  committed: readonly TopicPartition[],
): Promise<ReadonlyMap<string, bigint>> {
  const wanted = new Set(committed.map(partitionKey));
  if (wanted.size === 0) return new Map();
  const names = [...new Set(committed.map(({ topic }) => topic))];
  const { topics } = await session.ask('metadata', [names], { partly: true });
  const led = topics.flatMap(({ name, partitions }) =>
    partitions.map((one) => ({ topic: name ?? '', partition: one.partitionIndex, leader: one.leaderId })),
  );
  const ends = new Map<string, bigint>();
  const leaders = groupedBy(
    led.filter((one) => wanted.has(partitionKey(one))),
    ({ leader }) => leader,
  );
  await Promise.all(
    brokers.map(async (at) => {
      const partitions = leaders.get(at.id);
      if (!partitions) return;
      const asked = [...groupedBy(partitions, ({ topic }) => topic)].map(([name, all]) => ({
        name,
        partitions: all.map(({ partition }) => ({
          ...{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp: latest },
        })),
      }));
      const answer = await session.ask('listOffsets', [-1, 0, asked], { at, within: brokerPatience, partly: true });
      for (const { name: topic, partitions: found } of answer.topics)
        for (const { partitionIndex: partition, errorCode, offset } of found)
          if (errorCode === 0) ends.set(partitionKey({ topic, partition }), offset);
    }),
  );
  return ends;
}
