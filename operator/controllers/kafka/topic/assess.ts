import type { KafkaTopicResource } from '../../../../imports/index.js';
import { namespaceEnds } from '../../../kafka/cluster-part.js';
import { keepUntilAnswered } from '../../../members/index.js';
import { type Assessment, type Mark, noEffectOf, type Outcome } from '../../../runtime/index.js';
import type { TopicState } from '../ports/topics.js';
import type { conditions } from './conditions.js';
import { topicCall } from './desire.js';
import { missingEffectOf } from './missing-effect.js';
import { stepOf } from './plan.js';
import { type Situation, situationOf } from './situation.js';
import type { TopicView } from './view.js';

type Marked = Mark<Extract<keyof typeof conditions.Configured, string>>;

/** Reports how far a topic got. */
export function assess(outcome: TopicView & Pick<Outcome, 'calls'>): Assessment<KafkaTopicResource, typeof conditions> {
  const { resource } = outcome;
  const situation = situationOf(outcome);
  const topic = situation.found?.topic;
  const { status } = resource;
  const isOwn =
    topic !== undefined &&
    (status?.topicId === undefined || status.topicId === topic.id || resource.spec.onLoss === 'Recreate');
  const id = isOwn ? topic.id : status?.topicId;
  return {
    conditions: keepUntilAnswered(
      { Configured: configuredOf(outcome, situation), Replicated: replicatedOf(topic) },
      outcome.polled.topic,
      resource,
    ),
    status: {
      topicName: situation.name,
      ...(id !== undefined && { topicId: id }),
      ...(topic && {
        ...{ partitions: topic.partitions, replication: topic.replication },
        underReplicatedPartitions: topic.underReplicated,
      }),
    },
  };
}

const whileActing: Readonly<Partial<Record<string, Marked['reason']>>> = { create: 'Creating', delete: 'Deleting' };

function replicatedOf(topic: TopicState | undefined): Mark<Extract<keyof typeof conditions.Replicated, string>> {
  if (!topic) return { reason: 'TopicUnknown' };
  if (topic.underReplicated === 0) return { reason: 'InSync' };
  return {
    reason: 'UnderReplicated',
    message: `${topic.underReplicated} partitions have replicas that are not in sync`,
  };
}

function configuredOf(
  { resource, reads: read, polled, calls }: TopicView & Pick<Outcome, 'calls'>,
  situation: Situation,
): Marked {
  const { name, holder, awaited } = situation;
  const { spec, metadata } = resource;
  const end = namespaceEnds(resource, read);
  if (!read.cluster && end !== undefined) return { reason: 'NamespaceTerminating', message: end };
  if (!read.cluster) {
    const message = `The namespace has no KafkaCluster ${spec.cluster.name}; create it, or name another one in a new KafkaTopic`;
    return { reason: 'ClusterNotFound', message };
  }
  if (holder !== undefined) {
    const message = `KafkaTopic ${holder} has the topic ${name}; delete one of the two, or set another topicName in a new one`;
    return { reason: 'Conflict', message };
  }
  const step = stepOf(situation);
  if (!step) {
    // Brokers and Secrets that are gone already are no cause.
    if (end !== undefined) return { reason: 'NamespaceTerminating', message: end };
    const why = polled.topic && !polled.topic.known ? polled.topic.why : undefined;
    return { reason: 'ClusterUnknown', ...(why !== undefined && { message: `The brokers do not answer: ${why}` }) };
  }
  if (step.does === 'lost') {
    const message = `The topic ${name} was deleted in Kafka with its records; set onLoss to Recreate for an empty topic, or delete the KafkaTopic`;
    return { reason: 'Lost', message };
  }
  if (step.does === 'fewer') return { reason: 'FewerPartitions' };
  if (step.does !== 'act') return { reason: metadata.deletionTimestamp === undefined ? 'Configured' : 'Deleting' };
  if (step.request.act === 'create' && awaited) {
    const message = `The topic is created when ${awaited.needed} brokers of KafkaCluster ${spec.cluster.name} run; ${awaited.running} do`;
    return { reason: 'BrokersPending', message };
  }
  const call = calls.of(topicCall);
  if (call.state === 'failed' && call.kind !== 'unreachable')
    return { reason: 'Refused', message: `Kafka refuses a change of the topic: ${call.why}` };
  const noEffect = noEffectOf(call, missingEffectOf(step.request, situation.found?.topic));
  return {
    reason: whileActing[step.request.act] ?? 'Changing',
    ...(noEffect !== undefined && { message: `The request was ${noEffect}` }),
  };
}
