import type { Construct } from 'constructs';
import { accessOf } from '../../../kafka/cluster-part.js';
import { ExternalCall, RejectedError } from '../../../runtime/index.js';
import { kafkaTopics } from '../ports/topics.js';
import { brokersAwaited, holderOf, stepOf, type TopicFacts, topicNameOf } from './facts.js';

/** The name of the call that changes the topic. */
export const topicCall = 'topic';

/** Renders the change of the topic that is due. */
export function desire(scope: Construct, facts: TopicFacts): void {
  const { resource, reads: found } = facts;
  const { metadata } = resource;
  const name = topicNameOf(resource);
  if (metadata.deletionTimestamp === undefined && (name.startsWith('__') || !/^[a-zA-Z0-9._-]{1,249}$/.test(name)))
    throw new RejectedError(
      'InvalidName',
      `spec.topicName: Invalid value: "${name}": Kafka uses or refuses this name; set another one`,
    );
  if (metadata.deletionTimestamp === undefined) rejectUnwritable(facts);
  const step = stepOf(facts);
  const access = accessOf(found.cluster);
  if (step?.does !== 'act' || !access || holderOf(resource, found) !== undefined) return;
  if (step.request.act === 'create' && brokersAwaited(facts)) return;
  new ExternalCall(scope, topicCall, {
    ...{
      port: kafkaTopics,
      request: { ...step.request, topic: name, ...access },
      refreshes: ['topic'],
      timeout: 30_000,
    },
    visibleWithin: 10_000,
  });
}

/** @throws {RejectedError} when the topic inherits a min.insync.replicas that it can never have: the schema sees only its own */
function rejectUnwritable({ resource: { spec }, reads: { cluster } }: TopicFacts): void {
  const { replication, config } = spec;
  if (!cluster || config['min.insync.replicas'] !== undefined) return;
  // A text that is no number is refused by the brokers, and concerns no topic.
  if (!(cluster.minInSync > replication)) return;
  throw new RejectedError(
    'ReplicationTooLow',
    `spec.replication: Invalid value: ${replication}: must be at least min.insync.replicas, which is ${cluster.minInSync} in KafkaCluster ${cluster.name}, or producers with acks=all are refused; raise it, or set min.insync.replicas in spec.config to ${replication} or lower`,
  );
}
