import type { KafkaClusterSpec } from '../../../../../imports/index.js';
import { brokersIn, dynamicProperties, minInSync, mostDefaultReplicas } from '../../../../../src/index.js';
import { activeMembers } from '../../../../members/index.js';
import type { ClusterAnswer } from '../../ports/cluster.js';
import { isRetired, type KafkaNode } from './nodes.js';

/**
 * The number of brokers from which the defaults of replication follow, at most 3. While a cluster shrinks, a broker counts until
 * it has left, because a removal takes time and may be refused. While it grows, new brokers count when enough are ready:
 * writers would need them before. A broker that is down changes nothing.
 *
 * @param remembered the number from which they followed before. Undefined for a new cluster
 */
export function brokersForDefaults(
  spec: KafkaClusterSpec,
  nodes: readonly KafkaNode[],
  remembered: number | undefined,
): number {
  const desired = brokersIn(spec);
  const brokers = activeMembers(nodes, isRetired).filter(({ role }) => role === 'broker');
  const needed = Math.min(mostDefaultReplicas, desired);
  const existing = Math.min(mostDefaultReplicas, Math.max(desired, brokers.length));
  const known = remembered ?? existing;
  if (needed <= known) return Math.min(known, existing);
  return brokers.filter(({ isReady }) => isReady).length >= needed ? needed : known;
}

/**
 * The dynamic configuration of all brokers. While a topic has three replicas, the operator does not lower the default of
 * `min.insync.replicas`: topics inherit it, and their records would be confirmed with fewer copies. A person can.
 */
export function wantedConfiguration(
  spec: KafkaClusterSpec,
  brokers: number,
  cluster: ClusterAnswer | undefined,
): Readonly<Record<string, string>> {
  const wanted = dynamicProperties(spec, brokers);
  const current = cluster?.config[minInSync];
  const isLowered = current !== undefined && Number(current) > Number(wanted[minInSync]);
  const isStated = spec.config[minInSync] !== undefined;
  const hasCopies = (cluster?.partitions.highestReplication ?? 0) >= mostDefaultReplicas;
  if (!isLowered || isStated || brokers >= mostDefaultReplicas || !hasCopies) return wanted;
  return { ...wanted, [minInSync]: current };
}
