import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { type Candidate, namesOf } from '../election/candidate.js';
import { leadingCandidate } from '../election/leader.js';
import { strangers } from '../election/members.js';
import type { Situation } from '../situation.js';

type Joined = Mark<keyof (typeof conditions)['Joined']>;

/** Whether all candidates follow the leader. Undefined without a leader that reports, and without launchers. */
export function joinedOf({ lease, candidates, memory }: Situation): Joined | undefined {
  const leader = leadingCandidate(lease, candidates);
  if (!leader) return undefined;
  const others = strangers({ candidates, names: memory.names, leader });
  if (others.length > 0)
    return { reason: 'OtherData', message: `${namesOf(others)} have data that does not belong to the election` };
  const missing = candidates.filter((one) => one.uid !== leader.uid && !isFollowing(one));
  if (missing.length === 0) return { reason: 'AllFollow' };
  return { reason: 'SomeMissing', message: `${namesOf(missing)} do not follow the leader yet` };
}

function isFollowing({ report }: Candidate): boolean {
  return report?.role === 'replica' && report.application.isComplete && (report.application.isLinked ?? false);
}
