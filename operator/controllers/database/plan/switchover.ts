import { haltStep } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { claimantsIn, isServing, leaderIn, type Situation, stayingIn } from '../situation.js';
import type { Step } from './step.js';

/**
 * Replicas that can take over at once, as the primary reports: if commits wait, only replicas that confirm them. When
 * the old primary has stopped, Patroni promotes the one with the furthest position.
 */
export function candidatesFor(leader: Instance, situation: Situation): readonly Instance[] {
  if (!isServing(leader)) return [];
  return stayingIn(situation).filter((instance) => {
    const sent = leader.report?.streaming?.[instance.name];
    const isFit = instance.isReady && !instance.isCordoned && instance.report?.timeline === leader.report?.timeline;
    return sent !== undefined && isFit && (sent.synchronous || !situation.isSynchronous);
  });
}

/** Moves the primary away from a cordoned node before its Pod is evicted. */
export function drained(situation: Situation): Step | undefined {
  const leader = leaderIn(situation);
  if (!leader?.isCordoned || candidatesFor(leader, situation).length === 0) return undefined;
  const why = `${leader.name} hands over to a replica, because its node ${leader.node} is cordoned`;
  return { act: 'switchover', concern: 'drain', instance: leader, why };
}

/** Two primaries need a person to decide: any automatic change could delete the wrong one. */
export function split(situation: Situation): Step | undefined {
  const claimants = claimantsIn(situation);
  if (claimants.length < 2) return undefined;
  const names = claimants.map(({ name }) => name).join(' and ');
  return haltStep(
    'split',
    `${names} report that they are the primary; the operator changes nothing until only one of them does`,
  );
}
