import { type Candidate, isFenced } from '../election/candidate.js';
import { isCopyOf, isHeard, isSuccessor, offsetOf, type WithData } from '../election/history.js';
import { lostMembers } from '../election/losses.js';
import { holderOf } from '../ports/leases.js';
import type { Situation } from '../situation.js';
import { firstLeader } from './first-leader.js';
import { byPreference } from './preference.js';
import type { Step } from './step.js';
import { type ExistingLease, nextTerm, releaseIn } from './tenure.js';

/** The next leader: the candidate with the most data in the history of the last one. */
export function choice(situation: Situation): Step {
  const lease = situation.lease as ExistingLease;
  const term = nextTerm(lease, situation);
  const chosen = acceptedLeader(situation, term) ?? electedLeader(situation, lease, term);
  if ('does' in chosen) return chosen;
  const { name, uid, report } = chosen;
  return { does: 'elect', term, holder: holderOf({ name, uid, boot: report.boot }), over: lease };
}

/** The candidate that a person has chosen although it may lack confirmed writes. */
function acceptedLeader({ switchover, candidates }: Situation, term: number): WithData | undefined {
  if (!switchover?.acceptsLoss || switchover.to === undefined) return undefined;
  const chosen = candidates.find(({ name }) => name === switchover.to);
  return chosen && isHeard(chosen) && canLead(chosen, term) ? chosen : undefined;
}

/** Whether a candidate would be able to serve. What it has is another question. */
function canLead(candidate: Candidate, term: number): boolean {
  const { isEnding, address, report } = candidate;
  return !isEnding && address !== undefined && isFenced(candidate, term) && (report?.application.isRunning ?? false);
}

function electedLeader(situation: Situation, lease: ExistingLease, term: number): WithData | Step {
  const { candidates, memory } = situation;
  const { history } = memory;
  if (history === undefined) return firstLeader(situation, (one) => canLead(one, term));
  const copies = candidates.filter((one) => isCopyOf(one, history)).filter(isHeard);
  // Who went on from the history without a leader that the status knows has diverged from it.
  const isUnrecorded = lease.term > memory.historyTerm;
  const eligible = copies.filter(({ report }) => isUnrecorded || !isSuccessor(report.application, history));
  const able = eligible.filter((one) => canLead(one, term));
  if (able.length === 0) return { does: 'wait', why: 'copy', names: copies.map(({ name }) => name) };
  const proven = provenCopies(able, situation, lease);
  if (proven.length === 0) {
    const lost = missing(situation, term);
    if (lost.length > 0) return { does: 'wait', why: 'replicas', names: lost };
  }
  return best(proven.length > 0 ? proven : able, situation, isUnrecorded ? history : undefined);
}

/**
 * Candidates that have every write of the last leader, as its release says, and its own process, which has its own. A leader
 * that the status never saw leading may lack confirmed writes itself.
 */
function provenCopies(able: readonly WithData[], { memory }: Situation, lease: ExistingLease): readonly WithData[] {
  if (lease.term !== memory.historyTerm) return [];
  const release = releaseIn(lease);
  return able.filter(({ report }) => {
    if (report.boot === memory.historian?.boot) return true;
    if (release?.offset === undefined || release.replicationId === undefined) return false;
    const { offset = -1, replicationId } = report.application;
    return replicationId === release.replicationId && offset >= release.offset;
  });
}

/** Names of processes that may have confirmed writes which nobody else has. Empty if a candidate has all of them. */
function missing({ memory, candidates, spec }: Situation, term: number): readonly string[] {
  const { minReplicas } = spec.safety;
  // Without confirmations, there is nothing to keep.
  if (minReplicas === 0) return [];
  const { members, history, historian } = memory;
  const lost = lostMembers({ members, candidates, term, history, leader: historian?.boot });
  return lost.length < minReplicas ? [] : lost.map(({ name }) => name);
}

/** The candidate with the most data, and of several the preferred one. @param successorsOf whose successors come first */
function best(able: readonly WithData[], situation: Situation, successorsOf: string | undefined): WithData {
  const rank = ({ report }: WithData) =>
    Number(successorsOf !== undefined && isSuccessor(report.application, successorsOf));
  const [first] = able.toSorted(
    (one, other) => rank(other) - rank(one) || offsetOf(other) - offsetOf(one) || byPreference(situation)(one, other),
  );
  return first as WithData;
}
