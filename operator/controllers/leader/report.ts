import type { LeaderElectionStatus, LeaderElectionStatusStates } from '../../../imports/index.js';
import { defined, timestampOf } from '../../runtime/index.js';
import type { Candidate } from './election/candidate.js';
import { isCopyOf } from './election/history.js';
import { leadingCandidate } from './election/leader.js';
import { isAdmissible, membersAfter, namesAfter } from './election/members.js';
import type { Step } from './plan/index.js';
import { holderIn, holdingPod } from './plan/tenure.js';
import { holderOf } from './ports/leases.js';
import type { Situation } from './situation.js';
import type { ElectionOutcome } from './view.js';

/** The status of an election, without its conditions. */
export function statusOf(outcome: ElectionOutcome, situation: Situation, step: Step): Partial<LeaderElectionStatus> {
  const { resource } = outcome;
  const before = resource.status;
  const states = situation.candidates.map((candidate) => stateOf(candidate, situation));
  const couldLead = states.filter(({ message }) => message === undefined).length;
  return defined({
    ...leaderIn(situation, before),
    ...dataIn(outcome, situation, before),
    ...takeoverIn(situation, before),
    candidates: `${couldLead}/${states.length}`,
    states: states.slice(0, mostStates),
    requested: handledSwitchover(situation)?.value ?? before?.requested,
    demotingSince: demotingSince(situation, step),
  });
}

/** The longest list in the status. */
const mostStates = 64;

/** The leader that the Lease names. It is named before it leads. */
function leaderIn(situation: Situation, before: LeaderElectionStatus | undefined): Partial<LeaderElectionStatus> {
  const { lease, now } = situation;
  const holder = holderIn(situation);
  if (!lease) return { leader: before?.leader, leaderUid: before?.leaderUid, term: before?.term, since: before?.since };
  const term = lease.state === 'absent' ? before?.term : Math.max(lease.term, before?.term ?? 0);
  if (!holder) return { leaderUid: before?.leaderUid, term: before?.term ?? 0, since: before?.since };
  const isSame = before?.term === term && before?.since !== undefined;
  return {
    ...{ leader: holder.name, leaderUid: holder.uid, term },
    since: isSame ? before.since : timestampOf(new Date(now)),
  };
}

/** Who has which data. It changes only while a leader says that it leads. */
function dataIn(
  { polled }: ElectionOutcome,
  { lease, candidates, memory }: Situation,
  before: LeaderElectionStatus | undefined,
): Partial<LeaderElectionStatus> {
  const leader = leadingCandidate(lease, candidates);
  const answered = polled.launchers?.known ? polled.launchers.at : undefined;
  const kept = {
    replicationId: before?.replicationId,
    historyTerm: before?.historyTerm,
    historyHolder: before?.historyHolder,
    members: before?.members,
    names: before?.names,
  };
  if (!leader || answered === undefined) return kept;
  const { members: known, names, historian } = memory;
  const roll = { members: known, names, candidates, historian, leader, at: answered };
  const members = membersAfter(roll);
  return {
    replicationId: leader.report.application.replicationId,
    historyTerm: leader.report.term,
    historyHolder: holderOf(leader.report),
    members,
    names: namesAfter(roll, members).map((name) => ({ name })),
  };
}

/** How long nobody led. */
function takeoverIn(situation: Situation, before: LeaderElectionStatus | undefined): Partial<LeaderElectionStatus> {
  const { now, fencing, lease, candidates } = situation;
  const pod = holdingPod(situation);
  const leads = fencing === 'launcher' ? leadingCandidate(lease, candidates) !== undefined : pod?.isReady === true;
  const { lostAt, takeoverSeconds } = before ?? {};
  if (leads) {
    const seconds = lostAt === undefined ? takeoverSeconds : Math.round((now - Date.parse(lostAt)) / 1000);
    return { takeoverSeconds: seconds === undefined ? undefined : Math.max(0, seconds) };
  }
  // A leader that is not heard may lead.
  const isUnknown = !lease || (lease.state === 'held' && pod !== undefined && !pod.report && fencing === 'launcher');
  const isLost = before?.term !== undefined && before.term > 0 && !isUnknown;
  return { lostAt: lostAt ?? (isLost ? timestampOf(new Date(now)) : undefined), takeoverSeconds };
}

function demotingSince({ memory, now }: Situation, step: Step): string | undefined {
  if (step.does !== 'hook' || step.hook !== 'demote' || step.leader !== undefined) return undefined;
  return timestampOf(new Date(memory.demoting ?? now));
}

/** A request that needs no further step, and why it did not lead to another leader. */
export interface HandledSwitchover {
  readonly value: string;
  readonly problem?: string;
}

/** The request of a person, once it was handled. */
export function handledSwitchover(situation: Situation): HandledSwitchover | undefined {
  const { switchover, unreadable, memory, lease, candidates } = situation;
  if (unreadable) {
    const shown = JSON.stringify(unreadable.word.slice(0, 100));
    return { value: unreadable.value, problem: `${shown} is no option: use to=POD or accept-data-loss` };
  }
  const holder = holderIn(situation);
  if (!switchover || !holder || !lease || lease.state === 'absent') return undefined;
  const { value, to } = switchover;
  // Another leader was named since: the status does not have its term yet.
  if (lease.term > memory.term) return { value };
  if (to === holder.name) return { value };
  if (to !== undefined && candidates.every(({ name }) => name !== to))
    return { value, problem: `Pod ${to} is no candidate` };
  const failed = holdingPod(situation)?.report?.handover;
  const isOfRequest = failed?.term === lease.term && (failed.request ?? '') === value;
  return failed && isOfRequest ? { value, problem: failed.problem } : undefined;
}

function stateOf(candidate: Candidate, situation: Situation): LeaderElectionStatusStates {
  const { name, zone, report } = candidate;
  const message = obstacleOf(candidate, situation);
  const offset = report?.role === 'none' ? report.application.offset : undefined;
  return {
    ...{ name, state: wordOf(candidate, situation) },
    ...(zone !== undefined && { zone }),
    ...(offset !== undefined && { offset }),
    ...(message !== undefined && { message }),
  };
}

function wordOf({ uid, report, isEnding, isReady, address }: Candidate, situation: Situation): string {
  if (isEnding) return 'Terminating';
  const isHolder = holderIn(situation)?.uid === uid;
  if (situation.fencing === 'pod') return isHolder ? 'Leader' : isReady ? 'Follower' : 'NotReady';
  if (!report) return address === undefined ? 'Pending' : 'Unreachable';
  if (report.role === 'leader') return 'Leader';
  if (report.role === 'replica') return report.application.isComplete ? 'Replica' : 'Copying';
  return report.application.isRunning ? 'Detached' : 'Starting';
}

/** Why a candidate could not lead, for people. Undefined if it could. */
function obstacleOf(candidate: Candidate, situation: Situation): string | undefined {
  const { report, isEnding, isReady, address, silence } = candidate;
  if (isEnding) return 'it is being deleted';
  if (address === undefined) return 'it has no address yet';
  if (situation.fencing === 'pod') return isReady ? undefined : 'it is not ready';
  if (!report) return silence ?? 'its launcher has not answered yet';
  if (report.problem !== undefined) return report.problem;
  if (!report.application.isRunning) return 'its application does not run';
  const leader = leadingCandidate(situation.lease, situation.candidates);
  if (leader?.uid === candidate.uid) return undefined;
  if (leader && !isAdmissible(candidate, { names: situation.memory.names, leader }))
    return 'it has data that does not belong to the election';
  const history = leader?.report.application.replicationId ?? situation.memory.history;
  if (history !== undefined && !isCopyOf(candidate, history)) return 'it has no complete copy of the data';
  return undefined;
}
