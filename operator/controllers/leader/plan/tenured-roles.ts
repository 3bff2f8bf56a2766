import { addressIn, type Candidate } from '../election/candidate.js';
import { leadingCandidate } from '../election/leader.js';
import { isAdmissible } from '../election/members.js';
import { assignmentsOf, type WantedRole } from '../election/roles.js';
import type { Situation } from '../situation.js';
import { handoverIn } from './handover.js';
import { sharedRole } from './shared-role.js';
import type { Step } from './step.js';
import { type ExistingLease, tenureOf } from './tenure.js';

/** While a leader holds the Lease: each candidate has its role in the term, and the leader hands over if that is due. */
export function tenuredRoles(situation: Situation): Step | undefined {
  const tenure = tenureOf(situation, situation.lease as ExistingLease);
  if (tenure.is !== 'held') return undefined;
  const { lease, pod } = tenure;
  const handover = handoverIn(situation, pod);
  // A person takes the loss of writes into account, and the leader cannot hand over to this Pod.
  if (handover.is === 'forced') return undefined;
  const to = handover.is === 'asked' ? handover.to : undefined;
  const wanted = situation.candidates.flatMap((candidate) => roleOf(candidate, { situation, leader: pod, to }) ?? []);
  const pods = assignmentsOf(wanted, sharedRole(situation, lease.term), situation.candidates);
  if (pods.length > 0) return { does: 'assign', pods, why: 'roles' };
  return { does: 'rest', ...(handover.is === 'later' && { until: handover.at }) };
}

interface Roles {
  readonly situation: Situation;
  /** Undefined if its Pod is not known. Everybody else keeps following it then. */
  readonly leader: Candidate | undefined;
  readonly to: WantedRole['handover'];
}

/** Undefined for a candidate that the status does not have yet: it keeps what it was told. */
function roleOf(candidate: Candidate, { situation, leader, to }: Roles): WantedRole | undefined {
  if (candidate.uid === leader?.uid) return { candidate, role: 'leader', ...(to && { handover: to }) };
  const address = leader && addressIn(leader);
  const isMember = situation.memory.members.some(({ boot }) => boot === candidate.report?.boot);
  if (address && isMember) return { candidate, role: 'replica', leader: address };
  const leading = leadingCandidate(situation.lease, situation.candidates);
  const isStranger = leading && !isAdmissible(candidate, { names: situation.memory.names, leader: leading });
  return isStranger ? { candidate, role: 'none' } : undefined;
}
