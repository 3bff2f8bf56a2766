import { drainedIn, quorumIn, type Situation, stayingIn } from '../situation.js';
import { illnessOf } from './health.js';
import { leavingIds } from './membership.js';
import { isOutdated } from './outdated.js';
import { type Step, waitStep } from './step.js';

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

/** Sets the dynamic configuration of all brokers, and removes what the spec does not have. */
export function configuration(situation: Situation): Step | undefined {
  const { cluster, config } = situation;
  if (!cluster) return undefined;
  const set = Object.fromEntries(Object.entries(config).filter(([key, value]) => cluster.config[key] !== value));
  const remove = Object.keys(cluster.config).filter((key) => config[key] === undefined);
  if (remove.length + Object.keys(set).length === 0) return undefined;
  const names = [...Object.keys(set), ...remove].toSorted();
  return {
    ...{ act: 'call', concern: 'config', request: { act: 'configure', set, remove } },
    why: `the brokers apply ${names.join(', ')}`,
  };
}

/** Raises the level of `metadata.version` when every node runs the version and the time has come. */
export function finalization(situation: Situation): Step | undefined {
  const { cluster, now } = situation;
  const { level, due } = situation.finalization;
  const { finalized, maximum } = cluster?.metadataVersion ?? {};
  if (finalized === undefined || maximum === undefined || finalized >= level || !quorumIn(situation)) return undefined;
  const staying = stayingIn(situation);
  if (staying.some((node) => isOutdated(node, situation) || illnessOf(node, situation) !== undefined)) return undefined;
  if (due === undefined) return waitStep('finalization', 'the version is finalized when a person approves it');
  if (now < due) return waitStep('finalization', 'the version is finalized after spec.finalize.after');
  if (maximum < level)
    return waitStep('finalization', 'the version is finalized when every registered node supports it');
  const request = { act: 'finalize' as const, level };
  return { act: 'call', concern: 'finalization', request, why: `metadata.version is raised to level ${level}` };
}
