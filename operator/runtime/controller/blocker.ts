import type { Finding } from './conditions.js';

/**
 * Why an object differs from its desired state although nothing failed: another owner holds it, it or its namespace is
 * terminating, an immutable field would have to change, its write was rejected, or it was written in vain too often.
 * Also: why a deleted resource still exists.
 */
export type BlockerReason =
  | 'DeletionDeadlineExceeded'
  | 'StaleFinalizer'
  | 'NotOwned'
  | 'ImmutableField'
  | 'ApplyRejected'
  | 'FieldManagerConflict'
  | 'WriteLoop'
  | 'NamespaceTerminating'
  | 'ObjectTerminating';

/** An object that the reconcile left unchanged, and why. */
export interface Blocker {
  readonly reason: BlockerReason;
  /** For people: the cause, and what to do about it. */
  readonly message: string;
  /** Milliseconds until the next try, if no event comes earlier. */
  readonly requeueAfter: number;
  /** True if objects of later waves need not wait for this object. @default - what the reason implies */
  readonly isThere?: boolean;
}

interface Meaning {
  /** The condition that is True while the blocker lasts. @default - only `Ready` reports it */
  readonly condition?: string;
  /** True if the blocker ends by itself, so that no person has to act. @default false */
  readonly passes?: boolean;
  /** True if objects of later waves need not wait for this object. @default false */
  readonly isThere?: boolean;
  /** True if owned objects that are no longer desired need not wait for this object. @default false */
  readonly prunes?: boolean;
}

/** What each reason means for the status. If several apply, the first one sets `Ready`. */
const meanings: Readonly<Record<BlockerReason, Meaning>> = {
  DeletionDeadlineExceeded: { condition: 'DeletionBlocked' },
  StaleFinalizer: { condition: 'DeletionBlocked' },
  NotOwned: { condition: 'Conflicted' },
  ImmutableField: { condition: 'Blocked' },
  ApplyRejected: { prunes: true },
  FieldManagerConflict: { condition: 'FieldsConflicted', isThere: true },
  WriteLoop: { condition: 'FieldsConflicted', isThere: true },
  NamespaceTerminating: { passes: true },
  ObjectTerminating: { passes: true },
};

/** The condition types that blockers set. A resource has such a condition only while it is True. */
export const blockerConditions: readonly string[] = [
  ...new Set(Object.values(meanings).flatMap(({ condition }) => condition ?? [])),
];

/** Whether objects of later waves wait for this one. */
export function holdsUp({ reason, isThere = meanings[reason].isThere }: Blocker): boolean {
  return !isThere;
}

/** Whether objects that are no longer desired stay for now, because others may still depend on them. */
export function stopsPruning({ reason }: Blocker): boolean {
  return !meanings[reason].prunes;
}

/** Milliseconds until a rejected write is tried again. No event reports that a quota was raised. */
const rejectedRecheck = 60_000;

/** An object whose write the API server rejected. @param isThere an earlier state of it exists, or nothing waits for it */
export function rejected(message: string, isThere: boolean): Blocker {
  return { reason: 'ApplyRejected', message, requeueAfter: rejectedRecheck, isThere };
}

/** Milliseconds until a terminating object is checked again, if no event reports its end. */
export const terminatingRequeue = 5_000;

/** An object that must be gone before it can be recreated. */
export function leaving(message: string): Blocker {
  return { reason: 'ObjectTerminating', message, requeueAfter: terminatingRequeue };
}

/** Milliseconds until a terminating namespace is tried again. Its contents are usually deleted first. */
const endingRecheck = 30_000;

/** An object that can no longer be created. */
export function ending(message: string): Blocker {
  return { reason: 'NamespaceTerminating', message, requeueAfter: endingRecheck };
}

/** What blockers mean for a resource: why it is not ready, whether a person has to act, and further conditions. */
export interface BlockerSummary {
  readonly ready: Finding;
  readonly stalled: boolean;
  readonly conditions: readonly Finding[];
}

/** @returns undefined if nothing is blocked */
export function blockerSummary(blockers: readonly Blocker[]): BlockerSummary | undefined {
  if (blockers.length === 0) return undefined;
  const met = Object.entries(meanings).flatMap(([reason, meaning]) => {
    const messages = blockers.filter((blocker) => blocker.reason === reason).map(({ message }) => message);
    return messages.length > 0 ? [{ reason, message: messages.toSorted().join('; '), ...meaning }] : [];
  });
  const [first] = met;
  if (!first) return undefined;
  const { reason, message, passes = false } = first;
  const conditions = blockerConditions.flatMap((type) => {
    const [one, ...more] = met.filter(({ condition }) => condition === type);
    if (!one) return [];
    const message = [one, ...more].map((each) => each.message).join('; ');
    return [{ type, status: 'True' as const, reason: one.reason, message }];
  });
  return {
    ready: { type: 'Ready', status: passes ? 'Unknown' : 'False', reason, message },
    stalled: !passes,
    conditions,
  };
}
