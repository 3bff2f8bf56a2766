import { retireLost } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { isServing, isWell, leaderIn, type Situation, stayingIn } from '../situation.js';
import { onInstance, replacementAfter, type Step } from './step.js';
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
  const step = retireLost({
    ...{ member: instance, concern: 'stranded', obstacle: obstacleTo(instance, situation), patience },
    found: `The volume of ${instance.name} is on node ${instance.home}, which no longer exists`,
    prospect: 'a replacement is created if the node does not return',
    now: situation.now,
  });
  return onInstance(step);
}

/** Why an instance must not be given up now, as the end of a sentence. */
function obstacleTo({ name: lost }: Instance, situation: Situation): string | undefined {
  const leader = leaderIn(situation);
  const others = stayingIn(situation).filter(({ name }) => name !== lost);
  const kept = situation.instances.find(({ isQuarantined }) => isQuarantined);
  if (kept) return `; ${replacementAfter(kept)}`;
  if (!leader || !isServing(leader)) return '; the replacement waits for a primary';
  const ill = others.find((other) => !isWell(other, leader));
  if (ill) return `; the replacement waits until ${ill.name} is healthy`;
  const isAlone = others.length > 1 && candidatesFor(leader, situation).length === 0;
  return isAlone ? `; the replacement waits until a replica can take over from ${leader.name}` : undefined;
}

/** A scheduled Pod has its volume on its node, wherever the volume was provisioned. */
function isStranded({ pod, node, isNodeGone }: Instance): boolean {
  return pod === 'there' && node === undefined && isNodeGone === true;
}
