import type { Construct } from 'constructs';
import { accessOf, awaitedReturn } from '../../../kafka/cluster-part.js';
import { isRefusedName } from '../../../kafka/topic-name.js';
import { ExternalCall, keep, RejectedError } from '../../../runtime/index.js';
import { kafkaTopics } from '../ports/topics.js';
import { stepOf } from './plan.js';
import { situationOf } from './situation.js';
import type { TopicView } from './view.js';

/** The name of the call that changes the topic. */
export const topicCall = 'topic';

/** Renders the change of the topic that is due. */
export function desire(scope: Construct, view: TopicView): void {
  const { metadata } = view.resource;
  const situation = situationOf(view);
  const { name, holder, awaited } = situation;
  if (metadata.deletionTimestamp === undefined && isRefusedName(name))
    throw new RejectedError(
      'InvalidName',
      `spec.topicName: Invalid value: "${name}": Kafka uses or refuses this name; set another one`,
    );
  if (metadata.deletionTimestamp === undefined) rejectUnwritable(view);
  keepUntilReturn(scope, view);
  const step = stepOf(situation);
  const access = accessOf(view.reads.cluster);
  if (step?.does !== 'act' || !access || holder !== undefined) return;
  if (step.request.act === 'create' && awaited) return;
  new ExternalCall(scope, topicCall, {
    port: kafkaTopics,
    request: { ...step.request, topic: name, ...access },
    refreshes: ['topic'],
    timeout: 30_000,
  });
}

/** A topic that is to be deleted with its KafkaTopic waits for a cluster that is away and would have it again. */
function keepUntilReturn(scope: Construct, { resource, reads }: TopicView): void {
  const { metadata, spec, status } = resource;
  if (metadata.deletionTimestamp === undefined || spec.deletionPolicy !== 'Delete' || status?.topicId === undefined)
    return;
  const why = awaitedReturn(resource, reads);
  if (why !== undefined) keep(scope, undefined, why);
}

/** @throws {RejectedError} when the topic inherits a min.insync.replicas that it can never have: the schema sees only its own */
function rejectUnwritable({ resource: { spec }, reads: { cluster } }: TopicView): void {
  const { replication, config } = spec;
  if (!cluster || config['min.insync.replicas'] !== undefined) return;
  // A text that is no number is refused by the brokers, and concerns no topic.
  if (!(cluster.minInSync > replication)) return;
  throw new RejectedError(
    'ReplicationTooLow',
    `spec.replication: Invalid value: ${replication}: must be at least min.insync.replicas, which is ${cluster.minInSync} in KafkaCluster ${cluster.name}, or producers with acks=all are refused; raise it, or set min.insync.replicas in spec.config to ${replication} or lower`,
  );
}
