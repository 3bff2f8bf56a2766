import type { Instance } from '../instances/instances.js';
import { isServing, isWell, leaderIn, type Situation, stayingIn } from './situation.js';
import { replacementAfter, type Step, wait } from './step.js';
import { candidatesFor } from './switchover.js';

/** Milliseconds that a node which is gone may take to come back under its name, with what it had. */
const patience = 300_000;

/**
 * Makes an instance anew whose volume was on a node that is gone. The volume is kept aside: nobody knows whether its node
 * comes back. Only while all others are well, and the primary is not the only one that has every commit.
 */
export function stranded(situation: Situation): Step | undefined {
  const instance = stayingIn(situation).find(isStranded);
  if (!instance) return undefined;
  const found = `The volume of ${instance.name} is on node ${instance.home}, which no longer exists`;
  const leader = leaderIn(situation);
  const others = stayingIn(situation).filter(({ name }) => name !== instance.name);
  const kept = situation.instances.find(({ isQuarantined }) => isQuarantined);
  if (kept) return wait('stranded', `${found}; ${replacementAfter(kept)}`);
  if (!leader || !isServing(leader)) return wait('stranded', `${found}; the replacement waits for a primary`);
  const ill = others.find((other) => !isWell(other, leader));
  if (ill) return wait('stranded', `${found}; the replacement waits until ${ill.name} is healthy`);
  if (others.length > 1 && candidatesFor(leader, situation).length === 0)
    return wait('stranded', `${found}; the replacement waits until a replica can take over from ${leader.name}`);
  if (situation.now - (instance.unreadySince ?? situation.now) < patience)
    return wait('stranded', `${found}; a replacement is created if the node does not return`);
  return {
    act: 'quarantine',
    concern: 'stranded',
    instance,
    why: `${found}; the volume is kept, and a replacement is created`,
  };
}

/** A Pod that a node has taken has its volume there, wherever that was made. */
function isStranded({ pod, node, isNodeGone }: Instance): boolean {
  return pod === 'there' && node === undefined && isNodeGone === true;
}
