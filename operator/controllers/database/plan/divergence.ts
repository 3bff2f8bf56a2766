import type { Instance } from '../instances.js';
import { isOutdated, isServing, leaderIn, type Situation, stayingIn, streamsFrom } from './situation.js';
import { type Step, wait } from './step.js';

/** Milliseconds for which a replica is given time to come back by itself: to rewind, or to fetch what it missed. */
const patience = 180_000;
/** Milliseconds for one that starts: it replays what it has, or waits for what nobody has any more. */
const longPatience = 900_000;

/**
 * Replaces a replica that cannot follow the primary any more by a new one. Its volume is kept aside: it may hold what
 * somebody wants to look at. One such volume at a time: what happens twice is no accident.
 */
export function diverged(situation: Situation): Step | undefined {
  const leader = leaderIn(situation);
  if (!leader || !isServing(leader)) return undefined;
  const instance = stayingIn(situation).find((one) => hasDiverged(one, leader, situation));
  if (!instance) return undefined;
  const kept = situation.instances.find(({ isQuarantined }) => isQuarantined);
  const found = `${instance.name} does not follow ${leader.name} any more`;
  if (kept) return wait('divergence', `${found}: delete the claim ${kept.name} of an earlier one to have it made anew`);
  return {
    act: 'quarantine',
    concern: 'provision',
    instance,
    why: `${found}: its volume is kept, and a new one is made`,
  };
}

function hasDiverged(instance: Instance, leader: Instance, situation: Situation): boolean {
  const { name, report, pod, trouble, unreadySince } = instance;
  if (name === leader.name || pod !== 'there' || streamsFrom(leader, instance)) return false;
  // What its node or its image does to it has nothing to do with what it holds; who does not answer tells nothing.
  if (trouble !== undefined || report === undefined || isOutdated(instance, situation)) return false;
  const patient = report.state === 'starting' ? longPatience : patience;
  if (unreadySince === undefined || situation.now - unreadySince < patient) return false;
  return !busy.has(report.state);
}

/** States in which somebody works on it. */
const busy: ReadonlySet<string> = new Set(['creating replica', 'running custom bootstrap script']);
