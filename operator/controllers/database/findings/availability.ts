import { isServing, leaderIn } from '../plan/index.js';
import { isNearlyFull } from '../ports/members.js';
import { type ConditionMark, hasOnlyBegun, type Observation, stepOf } from './observation.js';

/** Whether writes are taken. */
export function availabilityOf(seen: Observation): ConditionMark<'Available'> {
  const { situation } = seen;
  if (stepOf(seen, 'split')) return { reason: 'SplitBrain' };
  const leader = leaderIn(situation);
  const begins = hasOnlyBegun(seen, 'Available');
  if (!leader) return { reason: begins ? 'Initializing' : 'NoPrimary' };
  if (isNearlyFull(leader.report) && !isServing(leader)) {
    const said = `${leader.name} is the primary, and its volume is full: raise spec.storage.size; it takes writes as soon as there is room, and nobody takes its place, whose volume would be full too`;
    return { reason: 'PrimaryVolumeFull', message: said };
  }
  if (!leader.isReady && begins)
    return { reason: 'Initializing', message: `${leader.name} is to be the primary, and is not ready yet` };
  if (!leader.isReady) {
    const said = `${leader.name} is the primary and not ready: a replica takes its place within half a minute, if one can`;
    return { reason: 'PrimaryNotReady', message: said };
  }
  return { reason: 'Serving', message: `${leader.name} takes writes` };
}

/** What is not done, because it could lose what was written; undefined where there is nothing. */
export function safetyOf(seen: Observation): ConditionMark<'Unsafe'> | undefined {
  const split = stepOf(seen, 'split');
  if (split) return { reason: 'SplitBrain', message: split.why };
  const refused = stepOf(seen, 'safety');
  return refused && { reason: 'UnreplicatedWrites', message: refused.why };
}
