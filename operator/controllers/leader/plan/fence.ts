import { isFenced } from '../election/candidate.js';
import { isHeard } from '../election/history.js';
import { assignmentsOf } from '../election/roles.js';
import type { Situation } from '../situation.js';
import { sharedRole } from './shared-role.js';
import type { Step } from './step.js';
import { type ExistingLease, nextTerm, tenureOf } from './tenure.js';

/**
 * Nobody may confirm writes to an earlier leader: each launcher that is heard detaches its application first. Who is silent
 * is counted by the choice.
 */
export function fence(situation: Situation): Step | undefined {
  const lease = situation.lease as ExistingLease;
  const { candidates } = situation;
  if (candidates.length === 0) return { does: 'wait', why: 'candidates' };
  const tenure = tenureOf(situation, lease);
  if (tenure.is === 'promised') return { does: 'wait', why: 'promises' };
  if (tenure.is === 'unproved') return { does: 'wait', why: 'expiry' };
  const term = nextTerm(lease, situation);
  const wanted = candidates.map((candidate) => ({ candidate, role: 'none' as const }));
  const pods = assignmentsOf(wanted, sharedRole(situation, term), candidates);
  if (pods.length > 0) return { does: 'assign', pods, why: 'fence' };
  if (tenure.is === 'ending') return { does: 'wait', why: 'expiry' };
  const heard = candidates.filter(isHeard);
  if (heard.length === 0) return { does: 'wait', why: 'reports', names: candidates.map(({ name }) => name) };
  const late = heard.filter((one) => !isFenced(one, term));
  return late.length > 0 ? { does: 'wait', why: 'fence', names: late.map(({ name }) => name) } : undefined;
}
