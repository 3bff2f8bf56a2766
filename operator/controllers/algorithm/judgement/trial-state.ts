import type { Requests, Sample } from './sample.js';
import type { TrialSettings } from './trial-settings.js';
import type { Numbers } from './verdict.js';

/** The progress of a trial: all that the next interval needs from the earlier ones. Plain JSON, stored in the status. */
export interface TrialState {
  /** `steps` until the version is promoted or rolled back, then `bake` for a while after a promotion. */
  readonly stage: 'steps' | 'bake' | 'promoted' | 'takenBack';
  /** Index of the step in the settings, from 0. */
  readonly step: number;
  /** Time of the last call of `advanceOf`, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Seconds since the start of the trial, without pauses. */
  readonly seconds: number;
  /** Seconds during which the requests were split as this step or the bake requires, without pauses. */
  readonly stageSeconds: number;
  /** Milliseconds since 1970. Earlier metrics were already counted, or belong to another split of the requests. */
  readonly countedUntil: number;
  /** Counts since the start of the step or the bake, or since the last good or bad verdict. */
  readonly sample: Numbers;
  /** Number of requests of the sample at the last analysis; 0 if there was none. */
  readonly lookedAt: number;
  /** Number of analyses in the whole trial. */
  readonly looks: number;
  /** Last verdict of this step. An `undecided` does not replace a good or a bad one. */
  readonly said: 'nothing' | 'undecided' | 'bad' | 'good';
  /** Sentence of the last good verdict in the step or the bake; empty if there was none. */
  readonly proof: string;
  /** Sentence of the last bad verdict in the trial; empty if there was none. */
  readonly fault: string;
  /** Number of bad verdicts in the whole trial. */
  readonly failures: number;
  /** Number of consecutive intervals without metrics. */
  readonly errors: number;
  /** Requests of the whole trial, for users. */
  readonly requests: Requests;
}

/** The state at the start of a stage. */
export const freshStage = {
  stageSeconds: 0,
  sample: { trial: {}, stable: {} },
  lookedAt: 0,
  said: 'nothing',
  proof: '',
} as const;

/** A trial before its first interval. @param now in milliseconds since 1970 */
export function beginning(now: number): TrialState {
  return {
    stage: 'steps',
    step: 0,
    seenAt: now,
    seconds: 0,
    countedUntil: 0,
    looks: 0,
    failures: 0,
    errors: 0,
    fault: '',
    requests: { total: 0, failed: 0 },
    ...freshStage,
  };
}

const noRequests: Requests = { total: 0, failed: 0 };
const stages: readonly unknown[] = ['steps', 'bake', 'promoted', 'takenBack'] satisfies TrialState['stage'][];
const sayings: readonly unknown[] = ['nothing', 'undecided', 'bad', 'good'] satisfies TrialState['said'][];

/** True of a value from which a trial can continue. The value may be written by anyone with access to the status. */
export function isTrialState(value: unknown): value is TrialState {
  if (!isLike<TrialState>(value, beginning(0))) return false;
  const { stage, said, sample } = value;
  return stages.includes(stage) && sayings.includes(said) && isSample(sample.trial) && isSample(sample.stable);
}

/** True of a valid count of requests. */
export function isRequests(value: unknown): value is Requests {
  return isLike(value, noRequests);
}

function isSample({ requests, latency, drift }: Sample): boolean {
  const isHistogram = (value: unknown) =>
    isLike(value, { bounds: [], counts: [] }) && value.counts.length === value.bounds.length + 1;
  const histograms = [latency, drift].filter((one) => one !== undefined);
  return (requests === undefined || isRequests(requests)) && histograms.every(isHistogram);
}

/** True of a value with all fields of a model, each of the same type. Lists must contain finite numbers. */
function isLike<T>(value: unknown, model: T): value is T {
  if (typeof model === 'number') return Number.isFinite(value);
  if (Array.isArray(model)) return Array.isArray(value) && value.every(Number.isFinite);
  if (typeof model !== 'object' || model === null) return typeof value === typeof model;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const parts: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(model).every(([key, part]) => isLike(parts[key], part));
}

/** Percentage of the requests that the version on trial should get. */
export function weightOf(
  { stage, step }: Pick<TrialState, 'stage' | 'step'>,
  { steps }: Pick<TrialSettings, 'steps'>,
): number {
  if (stage === 'steps') return steps[step]?.weight ?? 0;
  return stage === 'takenBack' ? 0 : 100;
}
