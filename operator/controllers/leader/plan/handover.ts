import { type Candidate, identityIn } from '../election/candidate.js';
import { isCopyOf, offsetOf } from '../election/history.js';
import type { LauncherReport } from '../ports/launchers.js';
import type { LeaderRole } from '../ports/roles.js';
import type { Situation } from '../situation.js';
import { byPreference } from './preference.js';
import { earliestMove } from './tenure.js';

/** Milliseconds in which the replica must have all writes, before the leader goes on. */
const deadline = 10_000;

/** Whether the leader is to hand over. */
export type Handover =
  | { readonly is: 'none' }
  | { readonly is: 'asked'; readonly to: NonNullable<LeaderRole['handover']> }
  /** A preference moves the leader at a time, in milliseconds since 1970. */
  | { readonly is: 'later'; readonly at: number }
  /** A person has asked for a Pod to which the leader cannot hand over, and accepts the loss. */
  | { readonly is: 'forced' };

/** Whether the leader hands over, and to whom. */
export function handoverIn(situation: Situation, leader: Candidate | undefined): Handover {
  const { switchover } = situation;
  if (!leader?.report) return isForced(situation, leader) ? { is: 'forced' } : { is: 'none' };
  if (hasFailed(leader.report, situation)) return { is: 'none' };
  const to = switchover ? requestedReplica(situation, leader) : preferredReplica(situation, leader);
  if (switchover && !to) return isForced(situation, leader) ? { is: 'forced' } : { is: 'none' };
  const identity = to && identityIn(to);
  if (!identity) return { is: 'none' };
  const at = earliestMove(situation);
  if (!switchover && situation.now < at) return { is: 'later', at };
  return { is: 'asked', to: { to: identity, deadline, ...(switchover && { request: switchover.value }) } };
}

/** Whether the handover that is due has failed. An earlier failure is no answer to a new request. */
function hasFailed({ handover: failed }: LauncherReport, { lease, switchover }: Situation): boolean {
  if (!failed || !lease || lease.state === 'absent') return false;
  return failed.term === lease.term && (failed.request ?? '') === (switchover?.value ?? '');
}

function isForced({ switchover, candidates }: Situation, leader: Candidate | undefined): boolean {
  if (!switchover?.acceptsLoss || switchover.to === undefined || switchover.to === leader?.name) return false;
  return candidates.some(({ name, report, isEnding }) => name === switchover.to && report && !isEnding);
}

/** Replicas that have what the leader has, or will have it in a moment, the most suitable one first. */
export function replicasOf(situation: Situation, leader: Candidate): readonly Candidate[] {
  const history = leader.report?.application.replicationId;
  return situation.candidates
    .filter((one) => one.uid !== leader.uid && !one.isEnding && one.report?.role === 'replica')
    .filter((one) => history !== undefined && isCopyOf(one, history))
    .filter(({ report }) => report?.application.isLinked && report.application.isFresh)
    .toSorted((one, other) => byPreference(situation)(one, other) || offsetOf(other) - offsetOf(one));
}

/** The replica that a person names, or the most suitable one. Undefined while it is not ready to take over. */
function requestedReplica(situation: Situation, leader: Candidate): Candidate | undefined {
  const to = situation.switchover?.to;
  if (to === leader.name) return undefined;
  return replicasOf(situation, leader).find(({ name }) => to === undefined || name === to);
}

/** A replica in the preferred zone. Undefined if the leader is there. */
function preferredReplica(situation: Situation, leader: Candidate): Candidate | undefined {
  const { zone } = situation.spec.prefer;
  if (zone === undefined || leader.zone === zone) return undefined;
  return replicasOf(situation, leader).find((one) => one.zone === zone);
}
