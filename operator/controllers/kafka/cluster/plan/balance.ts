import { waitStep } from '../../../../members/index.js';
import { drainedIn, type Situation, stayingIn } from '../situation.js';
import { leavingIds } from './drain.js';
import { illnessOf } from './health.js';
import type { Step } from './step.js';

/** Gives new brokers their share of the replicas, and removes the limits of replication when all have moved. */
export function balance(situation: Situation): Step | undefined {
  const { cluster, rebalances, throttle } = situation;
  if (!cluster || leavingIds(situation).length > 0) return undefined;
  const { reassigning, total } = cluster.partitions;
  const brokers = stayingIn(situation).filter(({ role, isDrained }) => role === 'broker' && !isDrained);
  const empty = emptyBrokers(situation);
  if (rebalances && empty.length > 0 && total > 0) {
    const ill = brokers.map((node) => illnessOf(node, situation)).find((illness) => illness !== undefined);
    if (ill !== undefined) return waitStep('balance', `new brokers get replicas when all serve: ${ill}`);
    if ((cluster.moves?.partitions ?? 0) > 0) {
      const request = {
        act: 'reassign' as const,
        from: drainedIn(situation).map(({ id }) => id),
        onto: brokers.map(({ id }) => id),
        throttle,
      };
      return { act: 'call', concern: 'balance', request, why: `broker ${empty.join(' and ')} gets replicas` };
    }
  }
  if (reassigning > 0) return waitStep('balance', `${reassigning} partitions are moving`);
  if (cluster.throttle === undefined) return undefined;
  return {
    ...{ act: 'call', concern: 'balance', request: { act: 'unthrottle' } },
    why: 'the limits of replication are removed',
  };
}

/** Ids of brokers that serve and have no replica. */
export function emptyBrokers(situation: Situation): readonly number[] {
  const { cluster } = situation;
  return stayingIn(situation)
    .filter(
      ({ role, id, isDrained }) =>
        role === 'broker' && !isDrained && cluster?.brokers.some((one) => one.id === id && !one.isFenced),
    )
    .filter(({ id }) => (cluster?.load[id]?.replicas ?? 0) === 0)
    .map(({ id }) => id);
}
