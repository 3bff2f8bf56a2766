import type { Candidate } from '../election/candidate.js';
import { type HeldLease, identityOf, type LeaseAnswer, type LeaseRelease } from '../ports/leases.js';
import type { CandidateIdentity } from '../ports/roles.js';
import { type Situation, timesOf } from '../situation.js';

/** A Lease that exists. */
export type ExistingLease = Exclude<LeaseAnswer, { readonly state: 'absent' }>;

/** Who holds the Lease. Undefined without a holder. */
export function holderIn({ lease }: Pick<Situation, 'lease'>): CandidateIdentity | undefined {
  return lease?.state === 'held' || lease?.state === 'expired' ? identityOf(lease.holder) : undefined;
}

/** The Pod of the holder. Undefined if it does not match the selector, or does not exist. */
export function holdingPod(situation: Pick<Situation, 'lease' | 'candidates'>): Candidate | undefined {
  const holder = holderIn(situation);
  return holder && situation.candidates.find(({ uid }) => uid === holder.uid);
}

/** The highest term that any candidate knows. It exceeds the one of the Lease from a fence until the next election. */
export function highestSeen({ candidates }: Pick<Situation, 'candidates'>): number {
  return Math.max(0, ...candidates.flatMap(({ report, told }) => [report?.term ?? 0, told?.role?.term ?? 0]));
}

/**
 * The term of the next leader. The roles of a fence have it before the Lease does, so an election that was interrupted goes
 * on in the same term. A higher term without such roles belongs to an election that was deleted: it may have had a leader.
 */
export function nextTerm(lease: ExistingLease, situation: Pick<Situation, 'candidates' | 'uid'>): number {
  const seen = highestSeen(situation);
  const isFence = situation.candidates.some(({ told }) => {
    const role = told?.role;
    return role?.term === seen && role.role === 'none' && role.uid === situation.uid;
  });
  return Math.max(lease.term + 1, isFence ? seen : seen + 1);
}

/** Whether the last leader can still lead, and why not. */
export type Tenure =
  | { readonly is: 'held'; readonly lease: HeldLease; readonly holder: CandidateIdentity; readonly pod?: Candidate }
  /** The Lease has expired, and the leader leads on by promises. */
  | { readonly is: 'promised' }
  /** The Lease has expired, and the launchers were not asked since then whether the leader leads on by promises. */
  | { readonly is: 'unproved' }
  /** A fence has begun although the leader renews the Lease: it gives up as soon as it is reached. */
  | { readonly is: 'ending'; readonly lease: HeldLease }
  | { readonly is: 'free' };

/** How the leader of the term has released its Lease. A person could leave the annotation of an earlier one. */
export function releaseIn(lease: ExistingLease): LeaseRelease | undefined {
  return lease.state === 'released' && lease.release?.term === lease.term ? lease.release : undefined;
}

/** Who may lead at present, for an application with launchers. */
export function tenureOf(situation: Situation, lease: ExistingLease): Tenure {
  const holder = holderIn(situation);
  if (!holder || lease.state === 'released') return { is: 'free' };
  const pod = holdingPod(situation);
  // A container that runs again has ended before: its processes are gone.
  if (pod?.report && pod.report.boot !== holder.boot) return { is: 'free' };
  if (isPromised(situation, lease, pod)) return { is: 'promised' };
  if (lease.state === 'expired') return isHeardSince(situation, lease.since) ? { is: 'free' } : { is: 'unproved' };
  if (isGone(situation, holder)) return { is: 'free' };
  if (highestSeen(situation) > lease.term) return { is: 'ending', lease };
  return { is: 'held', lease, holder, ...(pod && { pod }) };
}

function isHeardSince({ reportsAt }: Situation, since: number): boolean {
  return reportsAt !== undefined && reportsAt >= since;
}

/** Launchers that have promised not to lead obey no further term, so nobody could be elected. */
export function isPromised({ candidates }: Situation, { term }: ExistingLease, pod?: Candidate): boolean {
  if (pod?.report?.authority === 'Promises' && pod.report.term === term) return true;
  return candidates.some(({ report }) => report?.promisedTo?.term === term);
}

/**
 * A Pod that does not exist proves little: its node may be cut off. It is enough together with a fence of the replicas
 * that would have to confirm a write. Without such replicas, the Lease must expire.
 */
function isGone(situation: Situation, holder: CandidateIdentity): boolean {
  return situation.spec.safety.minReplicas > 0 && isProvenGone(situation, holder);
}

/** Whether the API server was asked for the Pod of a holder by its UID, and does not have it. A StatefulSet gives its name to another. */
export function isProvenGone(
  { existing, candidates, memory }: Pick<Situation, 'existing' | 'candidates' | 'memory'>,
  { uid }: Pick<CandidateIdentity, 'uid'>,
): boolean {
  const isAsked = memory.leaderUid === uid || candidates.some((one) => one.uid === uid);
  return isAsked && existing !== undefined && !existing.includes(uid);
}

/** When a preference may move the leader, in milliseconds since 1970. */
export function earliestMove({ memory, spec }: Situation): number {
  return (memory.since ?? 0) + timesOf(spec).minTenure;
}
