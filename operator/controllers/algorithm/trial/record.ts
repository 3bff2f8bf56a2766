import type { AlgorithmResource, AlgorithmStatusTrial } from '../../../../imports/index.js';
import { isRequests, isTrialState, type Requests, type TrialState } from '../judgement/index.js';

/** Why a version was taken back. */
export type Fault = 'Bad' | 'Deadline' | 'RolloutFailed' | 'Aborted';

/** What `Promoted` says of it. */
export const faultReasons = {
  Bad: 'RolledBack',
  Deadline: 'DeadlineExceeded',
  RolloutFailed: 'RolloutFailed',
  Aborted: 'Aborted',
} as const satisfies Readonly<Record<Fault, string>>;

/** What the passes of a trial tell each other, in the status: all that the objects do not show. */
export interface TrialRecord {
  /** Unlike that of every other trial, of the same version too. */
  readonly id: string;
  /** The ControllerRevision of the version on trial. */
  readonly revision: string;
  /** RFC 3339: when the trial began. */
  readonly since: string;
  readonly state: TrialState;
  /** What the last turn said. */
  readonly sentence: string;
  /** Why it was taken back, once it was. */
  readonly fault?: Fault | undefined;
  /**
   * Somebody asked for its promotion, or in its bake for the end of that, and it was done: the annotation stays, and asks
   * for nothing more.
   */
  readonly isOrdered?: boolean | undefined;
  /** What variants sent to it, by their names. */
  readonly variants?: Readonly<Record<string, Requests>> | undefined;
  /**
   * Since when the requests are split as wanted, in milliseconds since 1970; absent while they are not. What was counted
   * before is of another version, or of another share.
   */
  readonly splitSince?: number | undefined;
  /** Since when the route gives the version no requests, in milliseconds since 1970; absent while it gives it some. */
  readonly unweightedSince?: number | undefined;
  /** Per cent of the requests that the route gave to the version when it last gave it some; absent before. */
  readonly given?: number | undefined;
}

/** True when the last turn saw the requests split as they are now: its sentence is no leftover of another phase. */
export function isTold({ state, splitSince }: TrialRecord): boolean {
  return splitSince !== undefined && state.seenAt >= splitSince;
}

type Kept = Omit<TrialRecord, 'id' | 'revision' | 'since'>;

/** The trial that a status tells of; undefined of none, and of what this operator cannot read. */
export function recordOf({ status }: AlgorithmResource): TrialRecord | undefined {
  const trial = status?.trial;
  const kept = trial?.state === undefined ? undefined : parsed(trial.state);
  return trial && kept && { id: trial.id, revision: trial.revision, since: trial.since, ...kept };
}

/** The part of a trial that is for the operator alone, as the status has it. */
export function stateText({ id: _, revision: __, since: ___, ...kept }: TrialRecord): AlgorithmStatusTrial['state'] {
  return JSON.stringify(kept satisfies Kept);
}

/** Whoever may write the status may have written anything: then the trial begins again. */
function parsed(text: string): Kept | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { state, sentence, fault, isOrdered = false, variants = {} } = value as Partial<Kept>;
  const { splitSince = 0, unweightedSince = 0, given = 0 } = value as Partial<Kept>;
  const hasTexts = typeof sentence === 'string' && (fault === undefined || typeof fault === 'string');
  const hasFlag = typeof isOrdered === 'boolean';
  const hasNumbers = [splitSince, unweightedSince, given].every(Number.isFinite);
  const counts = typeof variants === 'object' && variants !== null ? Object.values(variants) : [undefined];
  return isTrialState(state) && hasTexts && hasFlag && hasNumbers && counts.every(isRequests);
}
