import { groupedBy } from '../connection/grouped-by.js';
import type { AssignedReplicas } from '../connection/missing-calls.js';
import type { KafkaSession } from '../connection/session.js';
import { originalOf, type Partition } from '../partitions/partitions.js';
import { type ConfigChange, changeConfigs, configsOf, replicaList, valuesOf } from './configs.js';

/** The properties of brokers that limit a reassignment, in bytes per second. */
export const rates = ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'] as const;
/** The properties of topics that tell which replicas are limited. */
export const throttledReplicas = [
  'leader.replication.throttled.replicas',
  'follower.replication.throttled.replicas',
] as const;

const allBrokers = { type: 'broker', name: '' } as const;

/**
 * The configuration that limits a reassignment: the sources of all copies, and their destinations. Replicas that are in sync
 * are never slowed, so the limit does not reach producers.
 */
export function throttleFor(
  reassignment: readonly AssignedReplicas[],
  partitions: readonly Partition[],
  rate: number,
): readonly ConfigChange[] {
  const assigned = new Map(reassignment.map((one) => [`${one.partition} ${one.topic}`, one.replicas]));
  const moving = partitions.flatMap((partition) => {
    const replicas = assigned.get(`${partition.partition} ${partition.topic}`) ?? partition.replicas;
    const sources = originalOf(partition);
    const added = replicas.filter((id) => !sources.includes(id));
    return added.length > 0 ? [{ topic: partition.topic, number: partition.partition, sources, added }] : [];
  });
  if (moving.length === 0) return [];
  const topics = [...groupedBy(moving, ({ topic }) => topic)].map(([name, ofTopic]): ConfigChange => {
    const pairs = (of: 'sources' | 'added') => ofTopic.flatMap((one) => one[of].map((id) => [one.number, id] as const));
    const [leaders, followers] = throttledReplicas;
    const set = { [leaders]: replicaList(pairs('sources')), [followers]: replicaList(pairs('added')) };
    return { owner: { type: 'topic', name }, set };
  });
  const set = Object.fromEntries(rates.map((name) => [name, String(Math.max(1, Math.floor(rate)))]));
  return [{ owner: allBrokers, set }, ...topics];
}

/** Removes all limits. The rates are removed last, because they show that there is something to remove. */
export async function unthrottle(session: KafkaSession, changing: KafkaSession): Promise<void> {
  const { topics } = await session.ask('metadata', [null], { partly: true });
  const owners = topics.flatMap(({ name }) => (name ? [{ type: 'topic' as const, name }] : []));
  const limited = [...(await configsOf(session, owners, throttledReplicas))]
    .map(([name, entries]) => ({ name, remove: Object.keys(valuesOf(entries)) }))
    .filter(({ remove }) => remove.length > 0);
  const changes = limited.map(({ name, remove }) => ({ owner: { type: 'topic' as const, name }, remove }));
  await changeConfigs(changing, changes);
  await changeConfigs(changing, [{ owner: allBrokers, remove: rates }]);
}
