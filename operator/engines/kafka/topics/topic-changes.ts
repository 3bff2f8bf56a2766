import type { TopicRequest } from '../../../controllers/kafka/ports/topics.js';
import { Semaphore } from '../../../runtime/concurrency/semaphore.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { Perform, PerformOptions } from '../../../runtime/ports/external-port.js';
import { changeTimeout } from '../clusters/cluster-changes.js';
import { changedResources } from '../clusters/configs.js';
import { metadataOf, sized, sizesOf } from '../clusters/metadata.js';
import { accessKey } from '../connection/access-key.js';
import { Collector } from '../connection/collector.js';
import type { Connections } from '../connection/connections.js';
import { KafkaSession } from '../connection/session.js';
import { hexadecimalUuid, kafkaUuid } from '../connection/uuids.js';
import { replicationFor } from '../partitions/reassignment.js';

type Of<A extends TopicRequest['act']> = Extract<TopicRequest, { readonly act: A }>;
type CollectedRequest = Exclude<TopicRequest, Of<'replicate'>>;

interface Collected {
  readonly request: CollectedRequest;
  readonly mayLeave: () => void;
}

/** What Kafka says about one topic of a request. */
interface Result {
  readonly errorCode: number;
  readonly errorMessage?: string | null | undefined;
}

/** UNKNOWN_TOPIC_ID: it is deleted already. */
const unknownId = 100;
/** Each change of the number of replicas reads the metadata of the cluster. */
const replicatesAtATime = 4;

/** Changes topics. Changes of the same sort in a cluster that come within 50 ms are one request. */
export function topicChanges(connections: Connections, clock: Pick<Clock, 'after'>): Perform<TopicRequest> {
  const changes = new Collector<Collected, true>(clock, (items, signal) => change(connections, items, signal));
  const turnstile = new Semaphore(replicatesAtATime);
  return async (request, options) => {
    if (request.act !== 'replicate') {
      const { mayLeave, signal } = options;
      return changes.add(`${request.act} ${accessKey(request)}`, { request, mayLeave }, signal);
    }
    const leave = await turnstile.enter(options.signal);
    if (!leave) throw options.signal.reason;
    return replicate(connections, request, options).finally(leave);
  };
}

async function change(
  connections: Connections,
  collected: readonly Collected[],
  signal: AbortSignal,
): Promise<readonly (true | Error)[]> {
  const [first] = collected;
  if (!first) return [];
  const session = await KafkaSession.open(connections, first.request, { signal });
  // Finds a broker, so that the check below is the last step before the request.
  await session.ask('describeCluster', []);
  const refusals = new Map(collected.map((one) => [one, refusalTo(one)]));
  const leaving = collected.filter((one) => refusals.get(one) === undefined).map(({ request }) => request);
  const unchecked = session.changing(() => {});
  const results = await sent(unchecked, leaving);
  return collected.map((one) => {
    const { request } = one;
    const refusal = refusals.get(one);
    if (refusal) return refusal;
    const result = results.get(request.act === 'delete' ? request.id : request.topic);
    if (!result) return new CallError('retryable', `The response has no topic ${request.topic}`);
    const isDone = result.errorCode === 0 || (request.act === 'delete' && result.errorCode === unknownId);
    return isDone ? true : session.refusal(result.errorCode, result.errorMessage);
  });
}

/** Why a change must not be sent any more. */
function refusalTo({ mayLeave }: Collected): Error | undefined {
  try {
    mayLeave();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Sends changes of the same sort. @returns a result for each topic, by its name, or by its id if it is deleted */
async function sent(
  changing: KafkaSession,
  requests: readonly CollectedRequest[],
): Promise<ReadonlyMap<string, Result>> {
  const of = <A extends CollectedRequest['act']>(act: A) =>
    requests.filter((request): request is CollectedRequest & Of<A> => request.act === act);
  const partly = { partly: true };
  switch (requests[0]?.act) {
    case 'create': {
      const topics = of('create').map(({ topic: name, partitions, replication, config }) => ({
        ...{ name, numPartitions: partitions, replicationFactor: replication, assignments: [] },
        configs: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      }));
      const { topics: created } = await changing.ask('createTopics', [topics, changeTimeout, false], partly);
      return new Map(created.map((one) => [one.name, one]));
    }
    case 'addPartitions': {
      const topics = of('addPartitions').map(({ topic: name, partitions: count }) => ({ name, count }));
      const { results } = await changing.ask('createPartitions', [topics, changeTimeout, false], partly);
      return new Map(results.map((one) => [one.name, one]));
    }
    case 'configure': {
      const resources = changedResources(
        of('configure').map(({ topic: name, set, remove }) => ({ owner: { type: 'topic', name }, set, remove })),
      );
      const { responses } = await changing.ask('alterConfigs', [resources, false], partly);
      return new Map(responses.map((one) => [one.resourceName, one]));
    }
    case 'delete': {
      // A name beside the id is refused, although the types of the client ask for one.
      const name = null as unknown as string;
      const topics = of('delete').map(({ id }) => ({ name, topicId: hexadecimalUuid(id) }));
      const { responses } = await changing.ask('deleteTopics', [topics, changeTimeout], partly);
      return new Map(responses.map((one) => [kafkaUuid(one.topicId), one]));
    }
    case undefined:
      return new Map();
  }
}

async function replicate(
  connections: Connections,
  request: Of<'replicate'>,
  { signal, mayLeave }: PerformOptions,
): Promise<void> {
  const session = await KafkaSession.open(connections, request, { signal });
  const { topic, replication } = request;
  const { brokers, partitions: all } = await metadataOf(session);
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  if (serving.length < replication) {
    const message = `${serving.length} brokers serve, so no topic can have ${replication} replicas`;
    throw new CallError('retryable', message, { mayHaveEffect: false });
  }
  const partitions = sized(all, await sizesOf(session, brokers)).filter((one) => one.topic === topic);
  const reassignment = replicationFor(partitions, serving, replication);
  if (reassignment.length === 0) return;
  const changing = session.changing(mayLeave);
  await changing.ask('assignReplicas', [reassignment, { timeout: changeTimeout, mayChangeNumber: true }]);
}
