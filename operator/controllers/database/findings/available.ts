import { stepOf } from '../../../members/index.js';
import { isNearlyFull } from '../ports/members.js';
import { isServing, leaderIn } from '../situation.js';
import { type ConditionMark, hasOnlyBegun, type Observation } from './observation.js';

/** Whether the Database accepts writes. */
export function availableOf(seen: Observation): ConditionMark<'Available'> {
  const { situation } = seen;
  if (stepOf(seen, 'split')) return { reason: 'SplitBrain' };
  const leader = leaderIn(situation);
  const begins = hasOnlyBegun(seen, 'Available');
  if (!leader) return { reason: begins ? 'Initializing' : 'NoPrimary' };
  if (isNearlyFull(leader.report) && !isServing(leader)) {
    const said = `The volume of the primary ${leader.name} is full: increase spec.storage.size; ${leader.name} accepts writes again once the volume has room; no replica takes over, because its volume would be full too`;
    return { reason: 'PrimaryVolumeFull', message: said };
  }
  if (!leader.isReady && begins)
    return { reason: 'Initializing', message: `The future primary ${leader.name} is not ready yet` };
  if (!leader.isReady) {
    const said = `The primary ${leader.name} is not ready; if a replica can take over, it does so within 30 seconds`;
    return { reason: 'PrimaryNotReady', message: said };
  }
  return { reason: 'Serving', message: `The primary ${leader.name} accepts writes` };
}
