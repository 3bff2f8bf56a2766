import type { HookState } from '../ports/hooks.js';
import type { LauncherReport } from '../ports/launchers.js';
import type { CandidateAddress, CandidateIdentity, LeaderRole } from '../ports/roles.js';
import type { PodPart } from './pod-part.js';

/** A Pod that the selector matches. */
export interface Candidate extends Omit<PodPart, 'nodeName' | 'labels'> {
  readonly zone?: string | undefined;
  /** What its launcher says. Undefined while it is silent. */
  readonly report?: LauncherReport | undefined;
  /** Why there is no report or hook state, for people. */
  readonly silence?: string | undefined;
  /** What its application says by a hook. */
  readonly hook?: HookState | undefined;
  /** What its annotations and label say. Undefined while they are unknown. */
  readonly told?: Told | undefined;
}

/** The annotations and the label of a Pod. */
export interface Told {
  /** The annotation of the role as it is. */
  readonly text?: string | undefined;
  /** The role in it, if it can be read. */
  readonly role?: LeaderRole | undefined;
  readonly term?: string | undefined;
  readonly isLabelled: boolean;
}

/** The process of a candidate that was heard last. Undefined if none was. */
export function identityIn({ name, uid, report, told }: Candidate): CandidateIdentity | undefined {
  const boot = report?.boot ?? told?.role?.boot;
  return boot === undefined ? undefined : { name, uid, boot };
}

/** The same with its address. */
export function addressIn(candidate: Candidate): CandidateAddress | undefined {
  const identity = identityIn(candidate);
  const { address } = candidate;
  return identity && address !== undefined ? { ...identity, address } : undefined;
}

/** The highest number that `leaseTransitions` of a Lease can have. */
const highestTerm = 2_147_483_647;

/** The role in an annotation that anybody can write. Undefined if it is none. */
export function roleIn(text: string | undefined): LeaderRole | undefined {
  if (text === undefined) return undefined;
  try {
    const role = JSON.parse(text) as Partial<LeaderRole> | null;
    const { boot, term, role: is } = role ?? {};
    const isTerm = Number.isInteger(term) && (term ?? 0) <= highestTerm;
    return typeof boot === 'string' && isTerm && typeof is === 'string' ? (role as LeaderRole) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a launcher guarantees that its application confirms no write to a leader of an earlier term. */
export function isFenced({ report }: Candidate, term: number): boolean {
  return report !== undefined && report.fencedAt >= term;
}

/** Names for a message, in their order. */
export function namesOf(candidates: readonly { readonly name: string }[]): string {
  return candidates.map(({ name }) => name).join(', ');
}
