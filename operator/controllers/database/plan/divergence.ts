import type { Forks } from '../instances/forks.js';
import type { Instance } from '../instances/instances.js';
import { isOutdated, isServing, leaderIn, type Situation, stayingIn, streamsFrom } from '../situation.js';
import { replacementAfter, type Step, waitStep } from './step.js';

/** Milliseconds that a replica has to recover: to rewind, or to fetch the log that it missed. */
const patience = 180_000;
/** Milliseconds for a replica that starts: it replays its log, or waits for log that no longer exists. */
const longPatience = 900_000;

/**
 * Replaces a replica that can no longer follow the primary. Its volume is quarantined for inspection. Only one volume
 * is quarantined at a time, because a second divergence indicates a problem that a replacement does not solve.
 */
export function diverged(situation: Situation): Step | undefined {
  const leader = leaderIn(situation);
  if (!leader || !isServing(leader)) return undefined;
  const instance = stayingIn(situation).find((one) => hasDiverged(one, leader, situation));
  if (!instance) return undefined;
  const kept = situation.instances.find(({ isQuarantined }) => isQuarantined);
  const found = `${instance.name} no longer follows ${leader.name}`;
  if (kept) return waitStep('divergence', `${found}; ${replacementAfter(kept)}`);
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
  // A problem of its node or image says nothing about its data, and neither does a missing report.
  if (trouble !== undefined || report === undefined || isOutdated(instance, situation)) return false;
  if (busy.has(report.state)) return false;
  const since = instance.isReady ? aloneSince(instance, situation) : instance.unreadySince;
  return since !== undefined && situation.now - since >= patienceWith(instance, situation);
}

/** States in which Patroni is already recreating the data. */
const busy: ReadonlySet<string> = new Set(['creating replica', 'running custom bootstrap script']);

/** Earliest time since which a ready replica can have stopped following the primary: the later of both times. */
function aloneSince({ readySince }: Instance, { degradedSince }: Situation): number | undefined {
  if (readySince === undefined || degradedSince === undefined) return undefined;
  return Math.max(readySince, degradedSince);
}

function patienceWith({ isReady, report }: Instance, { forks, hasArchive }: Situation): number {
  if (!isReady) return report?.state === 'starting' ? longPatience : patience;
  if (isBeyond(report, forks)) return patience;
  // The archive may have the missing log, and restoring a lot of log takes time.
  return hasArchive ? Number.POSITIVE_INFINITY : longPatience;
}

/** True if the replica has writes that its timeline received after the primary's timeline forked from it. */
function isBeyond(report: Instance['report'], forks: Forks): boolean {
  const { timeline, position } = report ?? {};
  if (timeline === undefined || position === undefined) return false;
  return position > (forks[timeline] ?? Number.POSITIVE_INFINITY);
}
