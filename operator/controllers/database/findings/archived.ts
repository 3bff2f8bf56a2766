import { leaderIn, type Situation } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Milliseconds for which the archive may be unavailable before the condition reports it. */
const patience = 300_000;

/** Whether the write-ahead log reaches the archive. */
export function archivedOf({
  situation,
  resource,
}: Pick<Observation, 'situation' | 'resource'>): ConditionMark<'Archived'> {
  if (!resource.spec.backup) return { reason: 'ArchivingDisabled' };
  const leader = leaderIn(situation);
  if (!leader?.report) return { reason: 'PrimaryStatusUnknown' };
  if (behindSince(situation) === undefined) return { reason: 'Archiving' };
  const message = `The log of ${leader.name} does not reach the archive; check the condition BackedUp and kubectl logs ${leader.name} -c postgres`;
  return { reason: 'ArchivingFailing', message };
}

/**
 * Time since which the log of the primary waits for the archive, in milliseconds since 1970. Undefined if it does not.
 */
export function behindSince(situation: Situation): number | undefined {
  const since = waitingSince(situation);
  return since !== undefined && situation.now - since >= patience ? since : undefined;
}

/**
 * Milliseconds until the condition must report a log that waits now. Undefined if none waits, or if it is already
 * reported.
 */
export function untilBehind(situation: Situation): number | undefined {
  const since = waitingSince(situation);
  const left = since === undefined ? 0 : since + patience - situation.now;
  return left > 0 ? left : undefined;
}

function waitingSince(situation: Situation): number | undefined {
  return leaderIn(situation)?.report?.unarchivedSince;
}
