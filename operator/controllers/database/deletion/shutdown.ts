import type { DatabaseResource } from '../../../../imports/index.js';
import { isServing, leaderIn, type Plan, planOf, type Situation } from '../plan/index.js';
import { isClosing } from './departure.js';

/**
 * The instance that stops last: the primary, which has every row that was acknowledged. While others run another one may
 * become it, and afterwards none.
 */
export function closingIn(resource: DatabaseResource, situation: Situation): string | undefined {
  if (!isClosing(resource)) return undefined;
  const leader = leaderIn(situation);
  return leader && isServing(leader) ? leader.name : resource.status?.closing;
}

/** What shall be there next, whatever is to become of the Database. */
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
 * The Pods that stay: replicas go first, so that nobody takes the place of the primary when it goes, and a synchronous one
 * acknowledges nothing more. Undefined while it is not certain that it is the one.
 */
function stopping(last: string, situation: Situation): readonly string[] | undefined {
  const others = situation.instances.filter(({ name, pod }) => name !== last && pod !== 'none');
  if (others.length === 0) return [];
  const leader = leaderIn(situation);
  const isCertain = leader?.name === last && isServing(leader);
  return isCertain || others.every(({ pod }) => pod === 'ending') ? [last] : undefined;
}
