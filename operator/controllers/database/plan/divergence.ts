import type { Forks } from '../instances/forks.js';
import type { Instance } from '../instances/instances.js';
import { isOutdated, isServing, leaderIn, type Situation, stayingIn, streamsFrom } from './situation.js';
import { replacementAfter, type Step, wait } from './step.js';

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
  const found = `${instance.name} no longer follows ${leader.name}`;
  if (kept) return wait('divergence', `${found}; ${replacementAfter(kept)}`);
  return {
    act: 'quarantine',
    concern: 'provision',
    instance,
    why: `${found}; its volume is kept, and a replacement is created`,
  };
}

function hasDiverged(instance: Instance, leader: Instance, situation: Situation): boolean {
  const { name, report, pod, trouble } = instance;
  if (name === leader.name || pod !== 'there' || streamsFrom(leader, instance)) return false;
  // What its node or its image does to it has nothing to do with what it holds; who does not answer tells nothing.
  if (trouble !== undefined || report === undefined || isOutdated(instance, situation)) return false;
  if (busy.has(report.state)) return false;
  const since = instance.isReady ? aloneSince(instance, situation) : instance.unreadySince;
  return since !== undefined && situation.now - since >= patienceWith(instance, situation);
}

/** States in which somebody works on it. */
const busy: ReadonlySet<string> = new Set(['creating replica', 'running custom bootstrap script']);

/** One that is ready answers queries, with what it has. It follows nobody for as long as that, at the most. */
function aloneSince({ readySince }: Instance, { degradedSince }: Situation): number | undefined {
  if (readySince === undefined || degradedSince === undefined) return undefined;
  return Math.max(readySince, degradedSince);
}

function patienceWith({ isReady, report }: Instance, { forks, hasArchive }: Situation): number {
  if (!isReady) return report?.state === 'starting' ? longPatience : patience;
  if (isBeyond(report, forks)) return patience;
  // What it lacks may be in the archive, and there may be a lot of it.
  return hasArchive ? Number.POSITIVE_INFINITY : longPatience;
}

/** True of one that has what was written after the primary's timeline had left its own. */
function isBeyond(report: Instance['report'], forks: Forks): boolean {
  const { timeline, position } = report ?? {};
  if (timeline === undefined || position === undefined) return false;
  return position > (forks[timeline] ?? Number.POSITIVE_INFINITY);
}
