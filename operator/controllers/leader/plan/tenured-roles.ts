import { addressIn, type Candidate } from '../election/candidate.js';
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
  const wanted = situation.candidates.map((candidate) => roleOf(candidate, { situation, leader: pod, to }));
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

function roleOf(candidate: Candidate, { situation, leader, to }: Roles): WantedRole {
  if (candidate.uid === leader?.uid) return { candidate, role: 'leader', ...(to && { handover: to }) };
  const address = leader && addressIn(leader);
  const isAdmitted = situation.memory.members.some(({ boot }) => boot === candidate.report?.boot);
  if (!address || !isAdmitted) return { candidate, role: 'none' };
  return { candidate, role: 'replica', leader: address };
}
