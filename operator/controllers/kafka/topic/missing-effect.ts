import type { MissingEffect } from '../../../runtime/index.js';
import type { TopicState } from '../ports/topics.js';
import type { TopicAct } from './plan.js';

/** What a change of a topic leads to, and what Kafka shows while it has no effect. */
export function missingEffectOf(request: TopicAct, found: TopicState | undefined): MissingEffect {
  switch (request.act) {
    case 'create':
      return { wanted: 'a topic', seen: 'none' };
    case 'addPartitions':
      return { wanted: `${request.partitions} partitions`, seen: String(found?.partitions ?? 0) };
    case 'replicate':
      return { wanted: `${request.replication} replicas`, seen: String(found?.replication ?? 0) };
    case 'configure': {
      const keys = [...Object.keys(request.set), ...request.remove];
      const among = (config: Readonly<Record<string, string>> = {}) =>
        keys.map((key) => `${key}=${config[key] ?? 'default'}`).join(' ');
      return { wanted: among(request.set), seen: among(found?.config) };
    }
    case 'delete':
      return { wanted: 'no topic', seen: `topic ${request.id}` };
  }
}
