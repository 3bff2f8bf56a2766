import type { TrialPlan } from './plan.js';
import type { Requests, Sample } from './sample.js';
import type { Numbers } from './verdict.js';

/** How far a trial is: all that its next turn must know of those before it. Plain JSON, kept in the status. */
export interface TrialState {
  /** `steps` until the version is promoted or taken back, `bake` for a while after the promotion. */
  readonly stage: 'steps' | 'bake' | 'promoted' | 'takenBack';
  /** Of the plan's steps, from 0. */
  readonly step: number;
  /** When the last turn was, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Seconds since the trial began, pauses apart. */
  readonly seconds: number;
  /** Seconds in which the requests were split as this step, or the bake, wants it, pauses apart. */
  readonly stageSeconds: number;
  /** Numbers from before this time, in milliseconds since 1970, are counted already or of another share of the requests. */
  readonly countedUntil: number;
  /** What was counted since the step or the bake began, or since the last verdict that was good or bad. */
  readonly sample: Numbers;
  /** Requests of the sample at the last look; 0 when there was none. */
  readonly lookedAt: number;
  /** Looks in the whole trial. */
  readonly looks: number;
  /** What this step has said. An `undecided` takes no good or bad back. */
  readonly said: 'nothing' | 'undecided' | 'bad' | 'good';
  /** The sentence of the step's or the bake's last good verdict; empty when there was none. */
  readonly proof: string;
  /** The sentence of the trial's last bad verdict; empty when there was none. */
  readonly fault: string;
  /** Bad verdicts in the whole trial. */
  readonly failures: number;
  /** Intervals without numbers, in a row. */
  readonly errors: number;
  /** All that was counted in the whole trial, for people. */
  readonly requests: Requests;
}

/** What a stage begins with. */
export const freshStage = {
  stageSeconds: 0,
  sample: { trial: {}, stable: {} },
  lookedAt: 0,
  said: 'nothing',
  proof: '',
} as const;

/** A trial that has not had a turn yet. @param now in milliseconds since 1970 */
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

/** True of what a turn can go on with, whoever wrote it. */
export function isTrialState(value: unknown): value is TrialState {
  if (!isLike<TrialState>(value, beginning(0))) return false;
  const { stage, said, sample } = value;
  return stages.includes(stage) && sayings.includes(said) && isSample(sample.trial) && isSample(sample.stable);
}

/** True of what counts requests. */
export function isRequests(value: unknown): value is Requests {
  return isLike(value, noRequests);
}

function isSample({ requests, latency, drift }: Sample): boolean {
  const isHistogram = (value: unknown) =>
    isLike(value, { bounds: [], counts: [] }) && value.counts.length === value.bounds.length + 1;
  const histograms = [latency, drift].filter((one) => one !== undefined);
  return (requests === undefined || isRequests(requests)) && histograms.every(isHistogram);
}

/** True of a value that has all that a model has, each of the same type. Lists are of finite numbers. */
function isLike<T>(value: unknown, model: T): value is T {
  if (typeof model === 'number') return Number.isFinite(value);
  if (Array.isArray(model)) return Array.isArray(value) && value.every(Number.isFinite);
  if (typeof model !== 'object' || model === null) return typeof value === typeof model;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const parts: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(model).every(([key, part]) => isLike(parts[key], part));
}

/** Per cent of the requests that the version on trial is to get. */
export function weightOf(
  { stage, step }: Pick<TrialState, 'stage' | 'step'>,
  { steps }: Pick<TrialPlan, 'steps'>,
): number {
  if (stage === 'steps') return steps[step]?.weight ?? 0;
  return stage === 'takenBack' ? 0 : 100;
}
