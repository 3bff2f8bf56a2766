import { because } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { isServing, leaderIn, membersIn, type Situation, stayingIn } from '../situation.js';
import { isRedundant, placeOf } from './redundancy.js';
import { type Step, waitStep } from './step.js';

/** Adds missing instances: first one, then one at a time, once all existing ones are ready. */
export function missing(situation: Situation): Step | undefined {
  const staying = stayingIn(situation);
  if (staying.length >= situation.wanted) return undefined;
  const [first] = staying;
  if (!first) return { act: 'add', concern: 'provision', why: 'The first instance is being created' };
  const leader = leaderIn(situation);
  const late = staying.find(({ isReady }) => !isReady);
  if (late) return waitStep('provision', `${late.name} is not ready yet${because(late)}`);
  if (!leader) return waitStep('provision', 'No instance is the primary yet');
  return {
    act: 'add',
    concern: 'provision',
    why: `Instance ${staying.length + 1} of ${situation.wanted} is being created`,
  };
}

/** Removes surplus instances one at a time, never the primary and never one that may hold writes that others lack. */
export function surplus(situation: Situation): Step | undefined {
  const staying = stayingIn(situation);
  if (staying.length <= situation.wanted) return undefined;
  const [gone] = membersIn(situation).filter(({ leavingAt }) => leavingAt !== undefined);
  if (gone) return waitStep('provision', `${gone.name} is being removed`);
  const leader = leaderIn(situation);
  if (!leader || !isServing(leader)) {
    const found = `${staying.length} instances exist, and ${situation.wanted} are desired`;
    return waitStep('provision', `${found}; none is removed until a primary responds`);
  }
  const instance = staying.filter(({ name }) => name !== leader.name).toSorted(worstFirst)[0];
  if (!instance) return undefined;
  if (isRedundant(instance, leader)) {
    return { act: 'leave', concern: 'provision', instance, why: `${instance.name} is being removed` };
  }
  const others = staying.filter(({ name }) => name !== instance.name).map(placeOf);
  return waitStep('safety', `${placeOf(instance)} is kept, because ${others.join(' and ')} may lack its writes`);
}

/** Prefers an instance that does not run, then one on a cordoned node, then the youngest. */
function worstFirst(a: Instance, b: Instance): number {
  return Number(a.isReady) - Number(b.isReady) || Number(b.isCordoned) - Number(a.isCordoned) || b.serial - a.serial;
}
