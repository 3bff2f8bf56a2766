import type { DatabaseResource } from '../../../../imports/index.js';
import { isClosing } from '../deletion/departure.js';
import { isServing, leaderIn, type Situation } from '../situation.js';
import { type Plan, planOf } from './index.js';

/**
 * The instance that stops last: the primary, which has every acknowledged row. Another instance can become the primary
 * only while others still run.
 */
export function closingIn(resource: DatabaseResource, situation: Situation): string | undefined {
  if (!isClosing(resource)) return undefined;
  const leader = leaderIn(situation);
  return leader && isServing(leader) ? leader.name : resource.status?.closing;
}

/** The Pods and PVCs to render next, for a Database that runs or is being deleted. */
export function nextOf(resource: DatabaseResource, situation: Situation): Plan {
  const last = isClosing(resource) ? resource.status?.closing : undefined;
  const pods = last === undefined ? undefined : stopping(last, situation);
  if (!pods) return planOf(situation, (serial) => `${resource.metadata.name}-${serial}`);
  const claims = situation.instances
    .filter(({ claim }) => claim === 'there')
    .map(({ name, leavingAt, isQuarantined }) => ({ name, leavingAt, isQuarantined }));
  return { pods, claims, steps: [] };
}

/**
 * The Pods that keep running. Replicas stop first, so that no replica is promoted when the primary stops, and a
 * synchronous primary acknowledges no more commits. Undefined while it is not certain that `last` is the primary.
 */
function stopping(last: string, situation: Situation): readonly string[] | undefined {
  const others = situation.instances.filter(({ name, pod }) => name !== last && pod !== 'none');
  if (others.length === 0) return [];
  const leader = leaderIn(situation);
  const isCertain = leader?.name === last && isServing(leader);
  return isCertain || others.every(({ pod }) => pod === 'ending') ? [last] : undefined;
}
