import { waitStep } from '../../../../members/index.js';
import { drainedIn, type Situation, stayingIn } from '../situation.js';
import { illnessOf } from './health.js';
import { refuse, type Step } from './step.js';

/** Brokers that are registered and do not stay: those that the spec no longer has, and lost ones. */
export function leavingIds(situation: Situation): readonly number[] {
  const staying = new Set(stayingIn(situation).map(({ id }) => id));
  return (situation.cluster?.brokers ?? []).map(({ id }) => id).filter((id) => !staying.has(id));
}

/** Moves the replicas off brokers that a person wants to be empty. The brokers go on to run. */
export function drained(situation: Situation): Step | undefined {
  const isDone = drainedIn(situation).every(({ id }) => hasNoReplicas(id, situation));
  if (!situation.cluster || isDone || leavingIds(situation).length > 0) return undefined;
  return moveReplicas([], situation);
}

/** Moves the replicas off brokers. @param leaving IDs of brokers that leave. Those that are drained move with them, because one request moves all */
export function moveReplicas(leaving: readonly number[], situation: Situation): Step {
  const { cluster } = situation;
  const kept = drainedIn(situation);
  const ids = [...leaving, ...kept.map(({ id }) => id)];
  const names = ids.join(' and ');
  const onto = stayingIn(situation).filter(({ role, isDrained }) => role === 'broker' && !isDrained);
  const highest = cluster?.partitions.highestReplication ?? 0;
  const wanted = situation.groups
    .filter(({ role }) => role === 'broker')
    .reduce((sum, { replicas }) => sum + replicas, -kept.length);
  if (wanted < highest)
    return refuse(
      'removal',
      `broker ${names} cannot be ${leaving.length > 0 ? 'removed' : 'drained'}: topic ${cluster?.partitions.highestTopic} has ${highest} replicas, and ${wanted} brokers would remain; lower the replication of the topic, or keep ${highest} brokers`,
    );
  const ill =
    onto.length < wanted
      ? 'brokers are missing'
      : onto.map((node) => illnessOf(node, situation)).find((illness) => illness !== undefined);
  if (ill !== undefined)
    return waitStep('removal', `the replicas of broker ${names} move when all others serve: ${ill}`);
  if ((cluster?.moves?.partitions ?? 0) === 0)
    return waitStep('removal', `the replicas of broker ${names} are moving to other brokers`);
  const request = { act: 'reassign' as const, from: ids, onto: onto.map(({ id }) => id), throttle: situation.throttle };
  return { act: 'call', concern: 'removal', request, why: `the replicas of broker ${names} move to other brokers` };
}

/** True if it is known that a broker has no replicas. */
export function hasNoReplicas(id: number, { cluster }: Situation): boolean {
  return cluster !== undefined && (cluster.load[id]?.replicas ?? 0) === 0;
}
