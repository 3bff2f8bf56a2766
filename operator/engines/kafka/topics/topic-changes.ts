import type { TopicRequest } from '../../../controllers/kafka/ports/topics.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { Perform, PerformOptions } from '../../../runtime/ports/external-port.js';
import { changeTimeout } from '../clusters/cluster-changes.js';
import { changeConfigs } from '../clusters/configs.js';
import { metadataOf, sized, sizesOf } from '../clusters/metadata.js';
import { accessKey } from '../connection/access-key.js';
import { Collector } from '../connection/collector.js';
import type { Connections } from '../connection/connections.js';
import { KafkaSession } from '../connection/session.js';
import { hexadecimalUuid } from '../connection/uuids.js';
import { replicationFor } from '../partitions/reassignment.js';

type Creation = Extract<TopicRequest, { readonly act: 'create' }>;

interface CollectedCreation {
  readonly request: Creation;
  readonly mayLeave: () => void;
}

/** UNKNOWN_TOPIC_ID: it is deleted already. */
const unknownId = 100;

/** Changes topics. Creations in a cluster that come within 50 ms are one request. */
export function topicChanges(connections: Connections, clock: Pick<Clock, 'after'>): Perform<TopicRequest> {
  const creations = new Collector<CollectedCreation, true>(clock, (items, signal) =>
    create(connections, items, signal),
  );
  return (request, options) => {
    if (request.act !== 'create') return change(connections, request, options);
    return creations.add(accessKey(request), { request, mayLeave: options.mayLeave }, options.signal);
  };
}

async function create(
  connections: Connections,
  collected: readonly CollectedCreation[],
  signal: AbortSignal,
): Promise<readonly (true | Error)[]> {
  const [first] = collected;
  if (!first) return [];
  const session = await KafkaSession.open(connections, first.request, { signal });
  // Finds a broker, so that the check below is the last step before the request.
  await session.ask('describeCluster', []);
  const refusals = new Map(collected.map((one) => [one, refusalTo(one)]));
  const leaving = collected.filter((one) => refusals.get(one) === undefined);
  const changing = session.changing(() => {});
  const topics = leaving.map(({ request: { topic: name, partitions, replication, config } }) => ({
    ...{ name, numPartitions: partitions, replicationFactor: replication, assignments: [] },
    configs: Object.entries(config).map(([key, value]) => ({ name: key, value })),
  }));
  const { topics: created } =
    leaving.length > 0
      ? await changing.ask('createTopics', [topics, changeTimeout, false], { partly: true })
      : { topics: [] };
  const results = new Map(created.map((one) => [one.name, one]));
  return collected.map((one) => {
    const result = results.get(one.request.topic);
    const refusal = refusals.get(one);
    if (refusal) return refusal;
    if (!result) return new CallError('retryable', `The response has no topic ${one.request.topic}`);
    return result.errorCode === 0 ? true : session.refusal(result.errorCode, result.errorMessage);
  });
}

/** Why a creation must not be sent any more. */
function refusalTo({ mayLeave }: CollectedCreation): Error | undefined {
  try {
    mayLeave();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function change(
  connections: Connections,
  request: Exclude<TopicRequest, Creation>,
  { signal, mayLeave }: PerformOptions,
): Promise<void> {
  const session = await KafkaSession.open(connections, request, { signal });
  const changing = session.changing(mayLeave);
  const { topic: name } = request;
  switch (request.act) {
    case 'addPartitions':
      await changing.ask('createPartitions', [[{ name, count: request.partitions }], changeTimeout, false]);
      return;
    case 'configure':
      return changeConfigs(changing, [{ owner: { type: 'topic', name }, set: request.set, remove: request.remove }]);
    case 'replicate':
      return replicate(session, changing, request);
    case 'delete':
      return remove(changing, request.id);
  }
}

async function replicate(
  session: KafkaSession,
  changing: KafkaSession,
  { topic, replication }: Extract<TopicRequest, { readonly act: 'replicate' }>,
): Promise<void> {
  const { brokers, partitions: all } = await metadataOf(session);
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  if (serving.length < replication) {
    const message = `${serving.length} brokers serve, so no topic can have ${replication} replicas`;
    throw new CallError('retryable', message, { mayHaveEffect: false });
  }
  const partitions = sized(all, await sizesOf(session, brokers)).filter((one) => one.topic === topic);
  const reassignment = replicationFor(partitions, serving, replication);
  if (reassignment.length === 0) return;
  await changing.ask('assignReplicas', [reassignment, { timeout: changeTimeout, mayChangeNumber: true }]);
}

async function remove(changing: KafkaSession, id: string): Promise<void> {
  // A name beside the id is refused, although the types of the client ask for one.
  const topic = { name: null as unknown as string, topicId: hexadecimalUuid(id) };
  const { responses } = await changing.ask('deleteTopics', [[topic], changeTimeout], { partly: true });
  const [result] = responses;
  if (result && result.errorCode !== 0 && result.errorCode !== unknownId)
    throw changing.refusal(result.errorCode, result.errorMessage);
}
