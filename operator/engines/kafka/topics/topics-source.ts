import type { TopicAnswer, TopicQuestion } from '../../../controllers/kafka/ports/topics.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { Source } from '../../../runtime/ports/external-port.js';
import { type ConfigEntry, configsOf, valuesOf } from '../clusters/configs.js';
import { throttledReplicas } from '../clusters/throttle.js';
import { accessKey } from '../connection/access-key.js';
import { Collector } from '../connection/collector.js';
import type { Connections } from '../connection/connections.js';
import type { Library } from '../connection/library.js';
import { KafkaSession } from '../connection/session.js';
import { kafkaUuid } from '../connection/uuids.js';

type Topics = Awaited<ReturnType<Library['metadataV12']['api']['async']>>['topics'];

/** UNKNOWN_TOPIC_OR_PARTITION */
const unknownTopic = 3;

/** Reads topics. Questions about a cluster that come within 50 ms are answered by two requests. */
export function topicsSource(
  connections: Connections,
  clock: Pick<Clock, 'after'>,
): Source<TopicQuestion, TopicAnswer> {
  const questions = new Collector<TopicQuestion, TopicAnswer>(clock, (items, signal) =>
    answers(connections, items, signal),
  );
  return (question, { signal }) => questions.add(accessKey(question), question, signal);
}

async function answers(
  connections: Connections,
  questions: readonly TopicQuestion[],
  signal: AbortSignal,
): Promise<readonly (TopicAnswer | Error)[]> {
  const [first] = questions;
  if (!first) return [];
  const session = await KafkaSession.open(connections, first, { signal });
  const names = [...new Set(questions.map(({ topic }) => topic))];
  const { topics } = await session.ask('metadata', [names], { partly: true });
  const found = new Map(topics.flatMap((topic) => (topic.name ? [[topic.name, topic] as const] : [])));
  const owners = [...found.values()].filter(({ errorCode }) => errorCode === 0);
  const configs = await configsOf(
    session,
    owners.map(({ name }) => ({ type: 'topic', name: name ?? '' })),
  );
  return questions.map(({ topic: name }) => {
    const topic = found.get(name);
    const config = configs.get(name);
    if (topic?.errorCode === unknownTopic) return {};
    if (!topic) return new CallError('retryable', `The response has no topic ${name}`, { mayHaveEffect: false });
    if (topic.errorCode !== 0) return session.refusal(topic.errorCode, undefined);
    if (config) return { topic: stateOf(topic, config) };
    // It may have been deleted between the two requests. The next answer tells.
    const message = `The brokers do not report the configuration of topic ${name}`;
    return new CallError('retryable', message, { mayHaveEffect: false });
  });
}

function stateOf(
  { topicId, partitions }: Topics[number],
  config: readonly ConfigEntry[],
): TopicAnswer['topic'] & object {
  const limits: readonly string[] = throttledReplicas;
  return {
    ...{ id: kafkaUuid(topicId), partitions: partitions.length },
    replication: Math.min(...partitions.map(({ replicaNodes }) => replicaNodes.length)),
    config: valuesOf(config.filter(({ name }) => !limits.includes(name))),
    underReplicated: partitions.filter(({ replicaNodes, isrNodes }) => isrNodes.length < replicaNodes.length).length,
  };
}
