import { illnessOf } from '../plan/index.js';
import { membersIn } from '../situation.js';
import { type ConditionMark, type Observation, unreachable } from './observation.js';

/** Whether all replicas have all records. */
export function replicatedOf({ situation }: Observation): ConditionMark<'Replicated'> {
  const { cluster, silence, isBootstrapped } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  const { underMinIsr, underReplicated } = cluster.partitions;
  const down = membersIn(situation)
    .filter(({ role }) => role === 'broker')
    .flatMap((node) => illnessOf(node, situation) ?? []);
  const because = down.length === 0 ? '' : `: ${down.join('; ')}`;
  if (underMinIsr > 0)
    return {
      reason: 'BelowMinIsr',
      message: `${underMinIsr} partitions have fewer in-sync replicas than min.insync.replicas${because}`,
    };
  if (underReplicated > 0)
    return {
      reason: 'UnderReplicated',
      message: `${underReplicated} partitions have replicas that are not in sync${because}`,
    };
  return { reason: 'InSync' };
}
