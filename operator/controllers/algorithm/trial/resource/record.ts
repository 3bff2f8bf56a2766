import type { AlgorithmResource, AlgorithmStatusTrial } from '../../../../../imports/index.js';
import { isRequests, isTrialState, type Requests, type TrialState } from '../../judgement/index.js';

/** The cause of a rollback. */
export type Fault = 'Bad' | 'Deadline' | 'RolloutFailed' | 'Aborted';

/** The reason of `Promoted` for each cause. */
export const faultReasons = {
  Bad: 'RolledBack',
  Deadline: 'DeadlineExceeded',
  RolloutFailed: 'RolloutFailed',
  Aborted: 'Aborted',
} as const satisfies Readonly<Record<Fault, string>>;

/**
 * The Pods that the requests need while an autoscaler sets the number of each side. An autoscaler shrinks a side whose
 * share falls, so the number of one side says nothing about the requests of both.
 */
export interface Capacity {
  /** The share of the version on trial for which `pods` was counted, in percent. */
  readonly weight: number;
  /** Number of Pods for all requests, as both sides had them before the last change of the desired share. */
  readonly pods: number;
  /** The part of them for the version on trial, or the Pods that it had already. More of them are more requests. */
  readonly trial: number;
  /** Minimum number of stable Pods, so that they can take all requests back at once. */
  readonly stable: number;
}

/** The state of a trial between reconciles, stored in the status: all that the objects do not show. */
export interface TrialRecord {
  /** Unique among all trials, including those of the same version. */
  readonly id: string;
  /** The ControllerRevision of the version on trial. */
  readonly revision: string;
  /** Start of the trial, RFC 3339. */
  readonly since: string;
  readonly state: TrialState;
  /** The sentence of the last step. */
  readonly sentence: string;
  /** The cause of the rollback, after one. */
  readonly fault?: Fault | undefined;
  /**
   * The annotation requested the promotion, or the end of the bake, and the request was carried out. The annotation
   * stays and has no further effect.
   */
  readonly isOrdered?: boolean | undefined;
  /** Requests that variants sent to it, by their names. */
  readonly variants?: Readonly<Record<string, Requests>> | undefined;
  /**
   * Time since which the requests are split as desired, in milliseconds since 1970; absent while they are not. Earlier
   * counts belong to another version or another share.
   */
  readonly splitSince?: number | undefined;
  /** Time since which the route gives the version no requests, in milliseconds since 1970; absent while it gives some. */
  readonly unweightedSince?: number | undefined;
  /** Last percentage above 0 of the requests that the route gave to the version; absent before. */
  readonly given?: number | undefined;
  /** With an autoscaler, the Pods that the requests need, until the autoscaler has measured the last move. */
  readonly capacity?: Capacity | undefined;
}

/** True if the last step saw the requests split as they are now, so that its sentence is about this phase. */
export function hasCurrentSentence({ state, splitSince }: TrialRecord): boolean {
  return splitSince !== undefined && state.seenAt >= splitSince;
}

type StoredRecord = Omit<TrialRecord, 'id' | 'revision' | 'since'>;

/** The trial in a status; undefined if there is none, or if this operator cannot read it. */
export function recordOf({ status }: AlgorithmResource): TrialRecord | undefined {
  const trial = status?.trial;
  const stored = trial?.state === undefined ? undefined : parsed(trial.state);
  return trial && stored && { id: trial.id, revision: trial.revision, since: trial.since, ...stored };
}

/** The part of a trial that only the operator reads, as stored in the status. */
export function stateText({ id: _, revision: __, since: ___, ...stored }: TrialRecord): AlgorithmStatusTrial['state'] {
  return JSON.stringify(stored satisfies StoredRecord);
}

/** Another client may have written anything into the status. An invalid value restarts the trial. */
function parsed(text: string): StoredRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStoredRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStoredRecord(value: unknown): value is StoredRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { state, sentence, fault, isOrdered = false, variants = {} } = value as Partial<StoredRecord>;
  const { splitSince = 0, unweightedSince = 0, given = 0 } = value as Partial<StoredRecord>;
  const hasTexts = typeof sentence === 'string' && (fault === undefined || typeof fault === 'string');
  const hasFlag = typeof isOrdered === 'boolean';
  const hasNumbers = [splitSince, unweightedSince, given].every(Number.isFinite);
  const counts = typeof variants === 'object' && variants !== null ? Object.values(variants) : [undefined];
  const { weight = 0, pods = 1, trial = 0, stable = 1 } = (value as Partial<StoredRecord>).capacity ?? {};
  const hasCapacity =
    [weight, trial].every(Number.isFinite) && [pods, stable].every((one) => Number.isSafeInteger(one) && one > 0);
  return isTrialState(state) && hasTexts && hasFlag && hasNumbers && hasCapacity && counts.every(isRequests);
}
