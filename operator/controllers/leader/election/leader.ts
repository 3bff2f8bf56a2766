import type { LeaseAnswer } from '../ports/leases.js';
import type { Candidate } from './candidate.js';
import { isHeard, type WithData } from './history.js';

/** The leader, if its launcher says that it leads in the term of the Lease. Undefined otherwise. */
export function leadingCandidate(
  lease: LeaseAnswer | undefined,
  candidates: readonly Candidate[],
): WithData | undefined {
  if (lease?.state !== 'held' && lease?.state !== 'expired') return undefined;
  return candidates.filter(isHeard).find(({ name, uid, report }) => {
    const isHolder = lease.holder === `${name}/${uid}/${report.boot}`;
    return isHolder && report.role === 'leader' && report.term === lease.term && report.leads;
  });
}
