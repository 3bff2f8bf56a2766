import { isHeard } from '../election/history.js';
import { holderOf } from '../ports/leases.js';
import type { Situation } from '../situation.js';
import type { Step } from './step.js';
import { type ExistingLease, highestSeen, isPromised, releaseIn } from './tenure.js';

/**
 * The candidate to which a leader has given its role in an orderly way. The launcher of that leader has seen that its
 * application accepts no writes, and that this candidate has all of them. So no replica has to be fenced first: nothing can
 * be confirmed that the candidate lacks.
 */
export function successor(situation: Situation): Step | undefined {
  const lease = situation.lease as ExistingLease;
  const release = releaseIn(lease);
  // The status must have seen that leader: one that it never saw may itself lack confirmed writes.
  if (!release?.to || lease.term !== situation.memory.historyTerm) return undefined;
  // A fence that has begun goes on, and launchers that have promised something obey no higher term.
  if (highestSeen(situation) > lease.term || isPromised(situation, lease)) return undefined;
  const { uid, boot } = release.to;
  const chosen = situation.candidates.filter(isHeard).find((one) => one.uid === uid && one.report.boot === boot);
  if (!chosen || chosen.isEnding || chosen.address === undefined || !chosen.report.application.isRunning)
    return undefined;
  const { name } = chosen;
  return { does: 'elect', term: lease.term + 1, holder: holderOf({ name, uid, boot }), over: lease };
}
