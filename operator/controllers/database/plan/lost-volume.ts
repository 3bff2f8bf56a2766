import type { Instance } from '../instances/instances.js';
import { isServing, isWell, leaderIn, type Situation, stayingIn } from './situation.js';
import { replacementAfter, type Step, wait } from './step.js';
import { candidatesFor } from './switchover.js';

/** Milliseconds that a deleted node has to return under the same name, with its disk. */
const patience = 300_000;

/**
 * Replaces an instance whose volume was on a deleted node. The volume is quarantined, because the node may return. The
 * replacement requires that all other instances are healthy and that the primary is not the only one with every commit.
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

/** A scheduled Pod has its volume on its node, wherever the volume was provisioned. */
function isStranded({ pod, node, isNodeGone }: Instance): boolean {
  return pod === 'there' && node === undefined && isNodeGone === true;
}
