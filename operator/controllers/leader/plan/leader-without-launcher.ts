import type { Candidate } from '../election/candidate.js';
import { holderOf } from '../ports/leases.js';
import type { PodAssignment } from '../ports/roles.js';
import { type Situation, timesOf } from '../situation.js';
import { byPreference } from './preference.js';
import type { Step } from './step.js';
import { type ExistingLease, earliestMove, holderIn, holdingPod, isProvenGone, nextTerm } from './tenure.js';

/** Stands for the process of an application without launcher. Its Pod is the candidate. */
const anyBoot = 'pod';

/** A leader leads until its Pod does not exist any more. Nobody renews its Lease. */
export function leaderWithoutLauncher(situation: Situation): Step {
  const holder = holderIn(situation);
  if (!holder) return withoutHolder(situation);
  const pod = holdingPod(situation);
  if (isProvenGone(situation, holder)) return election(situation);
  if (pod?.isEnding || situation.ending.includes(holder.uid)) return { does: 'wait', why: 'end', names: [holder.name] };
  // A Pod that the selector does not match any more could lead on unseen.
  if (!pod || isUnhealthy(pod, situation)) return { does: 'delete', pod: { name: holder.name, uid: holder.uid } };
  return move(situation, pod) ?? rolesOf(situation, pod);
}

/**
 * Nobody gives up the Lease, so somebody else has deleted or emptied it. The last leader does not know, and leads on: it is
 * named again, or its Pod ends first.
 */
function withoutHolder(situation: Situation): Step {
  const { lease, candidates, ending, existing, memory } = situation;
  const { leaderUid: uid } = memory;
  const last = candidates.find((one) => one.uid === uid);
  if (!last || uid === undefined || !existing?.includes(uid)) return election(situation);
  const { name, isEnding } = last;
  if (isEnding || ending.includes(uid)) return { does: 'wait', why: 'end', names: [name] };
  if (isUnhealthy(last, situation)) return { does: 'delete', pod: { name, uid } };
  const over = lease as ExistingLease;
  return { does: 'elect', term: nextTerm(over, situation), holder: holderOf({ name, uid, boot: anyBoot }), over };
}

/** Not ready for as long as a Lease lasts. */
function isUnhealthy({ isReady, notReadySince }: Candidate, { now, spec }: Situation): boolean {
  return !isReady && notReadySince !== undefined && now >= notReadySince + timesOf(spec).duration;
}

function ready({ candidates }: Situation): readonly Candidate[] {
  return candidates.filter(({ isReady, isEnding, address }) => isReady && !isEnding && address !== undefined);
}

function election(situation: Situation): Step {
  const lease = situation.lease as ExistingLease;
  if (situation.candidates.length === 0) return { does: 'wait', why: 'candidates' };
  // An application that leads already has taken writes, for example for an election that was deleted.
  const leads = ({ hook }: Candidate) => Number(hook?.role === 'leader');
  const [first] = ready(situation).toSorted(
    (one, other) => leads(other) - leads(one) || byPreference(situation)(one, other),
  );
  if (!first) return { does: 'wait', why: 'ready', names: situation.candidates.map(({ name }) => name) };
  const holder = holderOf({ name: first.name, uid: first.uid, boot: anyBoot });
  return { does: 'elect', term: nextTerm(lease, situation), holder, over: lease };
}

/** Ends the leader for a person or a preference, if another candidate is ready. */
function move(situation: Situation, leader: Candidate): Step | undefined {
  const { switchover, spec, now, memory } = situation;
  const others = ready(situation).filter(({ uid }) => uid !== leader.uid);
  const isPreferred = ({ zone }: Candidate) => zone === spec.prefer.zone;
  const wanted = switchover
    ? others.some(({ name }) => name === (switchover.to ?? name)) && switchover.to !== leader.name
    : spec.prefer.zone !== undefined &&
      !isPreferred(leader) &&
      others.some(isPreferred) &&
      now >= earliestMove(situation);
  if (!wanted) return undefined;
  const { hooks } = spec.application;
  const isDemoted = !hooks || leader.hook?.role !== 'leader';
  const isOver = memory.demoting !== undefined && now >= memory.demoting + patience;
  if (isDemoted || isOver) return { does: 'delete', pod: { name: leader.name, uid: leader.uid } };
  return hookStep('demote', leader, situation);
}

/** Milliseconds that the demotion of a leader may take. Its Pod is deleted then. */
const patience = 30_000;

function rolesOf(situation: Situation, leader: Candidate): Step {
  const { candidates, spec } = situation;
  const { term } = situation.lease as ExistingLease;
  const pods = candidates.flatMap((candidate): PodAssignment[] => {
    const { name, uid, told } = candidate;
    const isLabelled = uid === leader.uid;
    if (!told || (told.term === String(term) && told.isLabelled === isLabelled)) return [];
    return [{ name, uid, term: String(term), isLabelled }];
  });
  if (pods.length > 0) return { does: 'assign', pods, why: 'roles' };
  const { hooks } = spec.application;
  const pretender = candidates.find(({ uid, hook }) => uid !== leader.uid && hook?.role === 'leader');
  if (hooks && pretender) return hookStep('demote', pretender, situation, leader);
  const isTold = leader.hook?.role === 'leader' && leader.hook.term === term;
  if (hooks && leader.hook && !isTold) return hookStep('promote', leader, situation);
  const until = earliestMove(situation);
  return { does: 'rest', ...(spec.prefer.zone !== undefined && situation.now < until && { until }) };
}

function hookStep(hook: 'promote' | 'demote', pod: Candidate, situation: Situation, leader?: Candidate): Step {
  const { term } = situation.lease as ExistingLease;
  const { name, uid, address } = pod;
  if (address === undefined) return { does: 'wait', why: 'ready', names: [name] };
  const address2 = leader?.address;
  return {
    ...{ does: 'hook', hook, term, pod: { name, uid, address } },
    ...(leader && address2 !== undefined && { leader: { name: leader.name, address: address2 } }),
  };
}
