import type { KafkaTopicResource } from '../../../../imports/index.js';
import { keepUntilAnswered } from '../../../members/index.js';
import type { Assessment, Mark, Outcome } from '../../../runtime/index.js';
import type { TopicState } from '../ports/topics.js';
import type { conditions } from './conditions.js';
import { topicCall } from './desire.js';
import { brokersAwaited, foundIn, holderOf, stepOf, type TopicFacts, topicNameOf } from './facts.js';

type Marked = Mark<Extract<keyof typeof conditions.Configured, string>>;

/** Reports how far a topic got. */
export function assess(
  outcome: TopicFacts & Pick<Outcome, 'calls'>,
): Assessment<KafkaTopicResource, typeof conditions> {
  const { resource } = outcome;
  const found = foundIn(outcome);
  const topic = found?.topic;
  const { status } = resource;
  const isOwn =
    topic !== undefined &&
    (status?.topicId === undefined || status.topicId === topic.id || resource.spec.onLoss === 'Recreate');
  const id = isOwn ? topic.id : status?.topicId;
  return {
    conditions: keepUntilAnswered(
      { Configured: configuredOf(outcome), Replicated: replicatedOf(topic) },
      outcome.polled.topic,
      resource,
    ),
    status: {
      topicName: topicNameOf(resource),
      ...(id !== undefined && { topicId: id }),
      ...(topic && {
        ...{ partitions: topic.partitions, replication: topic.replication },
        underReplicatedPartitions: topic.underReplicated,
      }),
    },
  };
}

function replicatedOf(topic: TopicState | undefined): Mark<Extract<keyof typeof conditions.Replicated, string>> {
  if (!topic) return { reason: 'TopicUnknown' };
  if (topic.underReplicated === 0) return { reason: 'InSync' };
  return {
    reason: 'UnderReplicated',
    message: `${topic.underReplicated} partitions have replicas that are not in sync`,
  };
}

function configuredOf(outcome: TopicFacts & Pick<Outcome, 'calls'>): Marked {
  const { resource, reads: read, polled, calls } = outcome;
  const { spec, metadata } = resource;
  if (!read.cluster) {
    const message = `The namespace has no KafkaCluster ${spec.cluster.name}; create it, or name another one in a new KafkaTopic`;
    return { reason: 'ClusterNotFound', message };
  }
  const holder = holderOf(resource, read);
  if (holder !== undefined) {
    const message = `KafkaTopic ${holder} has the topic ${topicNameOf(resource)}; delete one of the two, or set another topicName in a new one`;
    return { reason: 'Conflict', message };
  }
  const step = stepOf(outcome);
  if (!step) {
    const why = polled.topic && !polled.topic.known ? polled.topic.why : undefined;
    return { reason: 'ClusterUnknown', ...(why !== undefined && { message: `The brokers do not answer: ${why}` }) };
  }
  if (step.does === 'lost') {
    const message = `The topic ${topicNameOf(resource)} was deleted in Kafka with its records; set onLoss to Recreate for an empty topic, or delete the KafkaTopic`;
    return { reason: 'Lost', message };
  }
  if (step.does === 'fewer') return { reason: 'FewerPartitions' };
  if (step.does !== 'act') return { reason: metadata.deletionTimestamp === undefined ? 'Configured' : 'Deleting' };
  const awaited = step.request.act === 'create' ? brokersAwaited(outcome) : undefined;
  if (awaited) {
    const message = `The topic is created when ${awaited.needed} brokers of KafkaCluster ${spec.cluster.name} run; ${awaited.running} do`;
    return { reason: 'BrokersPending', message };
  }
  const call = calls.of(topicCall);
  if (call.state === 'failed' && call.kind !== 'unreachable')
    return { reason: 'Refused', message: `Kafka refuses a change of the topic: ${call.why}` };
  if (step.request.act === 'delete') return { reason: 'Deleting' };
  return { reason: step.request.act === 'create' ? 'Creating' : 'Changing' };
}
