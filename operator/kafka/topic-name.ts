import type { KafkaTopicResource } from '../../imports/index.js';

/** The name of a topic in Kafka. */
export function topicNameOf({ metadata, spec }: Pick<KafkaTopicResource, 'metadata' | 'spec'>): string {
  return spec.topicName ?? metadata.name;
}

/** True for a name that Kafka uses itself, or refuses. */
export function isRefusedName(name: string): boolean {
  return name.startsWith('__') || !/^[a-zA-Z0-9._-]{1,249}$/.test(name);
}
