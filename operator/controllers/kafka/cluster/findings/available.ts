import { quorumIn } from '../situation.js';
import { type ConditionMark, type Observation, unreachable } from './observation.js';

/** Whether clients can produce and consume. */
export function availableOf({ situation }: Observation): ConditionMark<'Available'> {
  const { cluster, silence, isBootstrapped } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  if (!quorumIn(situation)) return { reason: 'NoQuorum' };
  const { offline } = cluster.partitions;
  if (offline === 0) return { reason: 'Serving' };
  const message = `${offline} partitions have no leader, because all of their in-sync replicas are down; bring back a broker that has them`;
  return { reason: 'PartitionsOffline', message };
}
