import type { KafkaTopicResource } from '../../../../imports/index.js';
import type { KafkaAccess } from '../../../kafka/access.js';
import type { TopicRequest, TopicState } from '../ports/topics.js';
import type { Situation } from './situation.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A change of a topic, without how its cluster is reached. */
export type TopicAct = Without<TopicRequest, keyof KafkaAccess | 'topic'>;

/** What has to happen to a topic, or why nothing can. */
export type Step =
  | { readonly does: 'nothing' | 'lost' | 'fewer' }
  | { readonly does: 'act'; readonly request: TopicAct };

/** Properties that a reassignment of replicas sets meanwhile. */
const throttles: readonly string[] = [
  'leader.replication.throttled.replicas',
  'follower.replication.throttled.replicas',
];

/** The next step of a topic. Undefined while it is not known whether Kafka has the topic. */
export function stepOf({ resource, found }: Situation): Step | undefined {
  return found && topicStep(resource, found.topic);
}

/**
 * The next change of a topic.
 * @param found the topic in Kafka. Undefined if the cluster has none of this name
 */
export function topicStep({ metadata, spec, status }: KafkaTopicResource, found: TopicState | undefined): Step {
  if (metadata.deletionTimestamp !== undefined) return deletion(spec.deletionPolicy, status?.topicId, found);
  const isLost = status?.topicId !== undefined && found?.id !== status.topicId;
  if (isLost && spec.onLoss === 'Report') return { does: 'lost' };
  const { partitions, replication, config } = spec;
  if (!found) return act({ act: 'create', partitions, replication, config });
  const set = Object.fromEntries(
    Object.entries(config).filter(([key, value]) => !isSameValue(value, found.config[key])),
  );
  const remove = Object.keys(found.config).filter((key) => config[key] === undefined && !throttles.includes(key));
  if (Object.keys(set).length + remove.length > 0) return act({ act: 'configure', set, remove });
  if (found.partitions < partitions) return act({ act: 'addPartitions', partitions });
  if (found.replication !== replication) return act({ act: 'replicate', replication });
  return { does: found.partitions > partitions ? 'fewer' : 'nothing' };
}

/** Kafka stores the text of a value, and answers with its own: `compact, delete` is `compact,delete`, and `1` can be `1.0`. */
function isSameValue(wanted: string, found: string | undefined): boolean {
  return found !== undefined && (found === wanted || plainValue(found) === plainValue(wanted));
}

function plainValue(text: string): string {
  const value = text.trim().replace(/\s*,\s*/g, ',');
  if (/^(true|false)$/i.test(value)) return value.toLowerCase();
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(value) ?? [];
  if (whole === undefined) return value;
  const digits = fraction.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${BigInt(whole)}${digits && `.${digits}`}`;
}

/** Only the topic that the resource had is deleted: one that was created later belongs to somebody else. */
function deletion(policy: 'Retain' | 'Delete', id: string | undefined, found: TopicState | undefined): Step {
  if (policy === 'Retain' || id === undefined || found?.id !== id) return { does: 'nothing' };
  return act({ act: 'delete', id });
}

function act(request: TopicAct): Step {
  return { does: 'act', request };
}
