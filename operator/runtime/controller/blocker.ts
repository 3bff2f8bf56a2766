import type { Finding } from './conditions.js';

/**
 * Why an object is not as it is desired, though nothing failed: it is somebody else's, it is on its way out and must be
 * gone before it can be made again, its namespace is on its way out, it would have to change what cannot be changed, or
 * it was written in vain too often; or why a resource that is deleted is still there.
 */
export type BlockerReason =
  | 'DeletionDeadlineExceeded'
  | 'StaleFinalizer'
  | 'NotOwned'
  | 'ImmutableField'
  | 'FieldManagerConflict'
  | 'WriteLoop'
  | 'NamespaceTerminating'
  | 'ObjectTerminating';

/** An object that was left as it is, and why. */
export interface Blocker {
  readonly reason: BlockerReason;
  /** For a person: what is in the way, and what to do about it. */
  readonly message: string;
  /** Milliseconds after which it is tried again, should nothing tell earlier. */
  readonly requeueAfter: number;
}

interface Meaning {
  /** The condition that is True while it lasts. @default - `Ready` alone says so */
  readonly condition?: string;
  /** True where time alone ends it, so that nobody need be called. @default false */
  readonly passes?: boolean;
  /** True where what comes after the object need not wait for it. @default false */
  readonly isThere?: boolean;
}

/** What each reason means for the status. Of several the first one speaks for `Ready`. */
const meanings: Readonly<Record<BlockerReason, Meaning>> = {
  DeletionDeadlineExceeded: { condition: 'DeletionBlocked' },
  StaleFinalizer: { condition: 'DeletionBlocked' },
  NotOwned: { condition: 'Conflicted' },
  ImmutableField: { condition: 'Blocked' },
  FieldManagerConflict: { condition: 'FieldsConflicted', isThere: true },
  WriteLoop: { condition: 'FieldsConflicted', isThere: true },
  NamespaceTerminating: { passes: true },
  ObjectTerminating: { passes: true },
};

/** The conditions that obstacles give a resource; each is there only while it is True. */
export const blockerConditions: readonly string[] = [
  ...new Set(Object.values(meanings).flatMap(({ condition }) => condition ?? [])),
];

/** Whether objects of later waves wait for this one. */
export function holdsUp({ reason }: Blocker): boolean {
  return !meanings[reason].isThere;
}

/** Milliseconds until an object that is on its way out is looked for again, should its end not be told. */
export const terminatingRequeue = 5_000;

/** An object that must be gone before it can be made again. */
export function leaving(message: string): Blocker {
  return { reason: 'ObjectTerminating', message, requeueAfter: terminatingRequeue };
}

/** Milliseconds until a namespace that is on its way out is tried again: mostly what is in it goes first. */
const endingRecheck = 30_000;

/** An object that cannot be made any more. */
export function ending(message: string): Blocker {
  return { reason: 'NamespaceTerminating', message, requeueAfter: endingRecheck };
}

/** What obstacles make of a resource: why it is not ready, whether only somebody's act helps, and what else to say. */
export interface BlockerSummary {
  readonly ready: Finding;
  readonly stalled: boolean;
  readonly conditions: readonly Finding[];
}

/** @returns undefined when nothing is in the way */
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
