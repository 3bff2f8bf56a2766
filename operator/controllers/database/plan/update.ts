import { type Disruption, disruptionOf, type ReplicatedGroup } from '../../../disruption/disruption.js';
import { repair as repairMember, rollingGroup, rollout } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { isOutdated, isWell, leaderIn, primaryGoesFirst, type Situation, stayingIn } from '../situation.js';
import { onInstance, type Step, waitStep } from './step.js';
import { candidatesFor } from './switchover.js';

/** Replaces an outdated instance that does not run: this costs no availability and may fix the instance. */
export function repair(situation: Situation): Step | undefined {
  const leader = leaderIn(situation);
  const step = repairMember(stayingIn(situation), {
    isOutdated: (instance) => isOutdated(instance, situation),
    isDown: (instance) => isBroken(instance, leader),
  });
  return onInstance(step);
}

/** A primary that responds, or may recover, is left to Patroni's leader election. */
function isBroken(instance: Instance, leader: Instance | undefined): boolean {
  if (instance.isReady) return false;
  if (leader && instance.name !== leader.name) return true;
  return instance.trouble !== undefined && instance.report === undefined;
}

/**
 * Replaces one instance at a time while all others are healthy: replicas first, the primary last, after a switchover.
 */
export function outdated(situation: Situation): Step | undefined {
  const staying = stayingIn(situation);
  const old = staying.filter((instance) => isOutdated(instance, situation));
  const restarts = primaryGoesFirst(situation);
  if (old.length === 0 && !restarts) return undefined;
  const leader = leaderIn(situation);
  if (!leader) return waitStep('update', 'no primary is known, so no instance is replaced');
  if (leader.report === undefined)
    return waitStep('update', `${leader.name} does not report its state, so no instance is replaced`);
  const isDue = ({ revision }: Instance) => !restarts || revision !== situation.revision;
  const replica = old.findLast((one) => one.name !== leader.name && isDue(one));
  const groups = [instancesIn(staying, leader)];
  const step = rollout({
    ...{ outdated: [replica ?? leader], groups, noun: 'instance' },
    ill: staying.find((instance) => !isWell(instance, leader)) ?? leader,
  });
  if (replica || step?.act === 'wait') return onInstance(step);
  const disruption = disruptionOf(leader.name, groups);
  if (isDue(leader)) return primary(leader, situation, disruption);
  const why = `${leader.name} restarts in place, because it must apply lower limits before its replicas`;
  return { act: 'restart', concern: 'update', instance: leader, why };
}

/** The instances, of which one at a time may be down. A single one must be up. */
function instancesIn(staying: readonly Instance[], leader: Instance): ReplicatedGroup {
  const stateOf = (one: Instance) => (isWell(one, leader) ? 'up' : one.pod === 'there' ? 'unknown' : 'down');
  return rollingGroup(staying, stateOf, Math.max(1, staying.length - 1));
}

function primary(leader: Instance, situation: Situation, disruption: Disruption): Step {
  const about = { concern: 'update', instance: leader } as const;
  if (disruption === 'Unavoidable') {
    const why = `${leader.name} is being replaced; it is the only instance, so the Database is unavailable meanwhile`;
    return { act: 'replace', ...about, why };
  }
  if (candidatesFor(leader, situation).length > 0) {
    return { act: 'switchover', ...about, why: `${leader.name} hands over to a replica and is replaced last` };
  }
  return waitStep('update', `${leader.name} is replaced once a replica can take over from it`);
}
