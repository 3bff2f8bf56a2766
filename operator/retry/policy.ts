import { secondsOf } from '../../crds/index.js';

/** What counts against which budget, which failures end a job at once, and how long a retry waits. */
export interface RetryPolicy {
  /**
   * Retries by the name of their budget. A job with a budget of 3 has at most 4 attempts for it. Failures have the budgets
   * `submission`, `run` and `preemption` unless a rule names another one.
   */
  readonly budgets: Readonly<Record<string, number>>;
  /** The first one that matches a failure decides. Without one, the failure counts against its own budget. */
  readonly rules: readonly RetryRule[];
  readonly backoff: RetryBackoff;
}

/** What happens after failures of one kind. */
export interface RetryRule {
  readonly when: FaultMatch;
  /** `Fail`: the job ends, whatever its budgets have left. */
  readonly do: 'Retry' | 'Fail';
  /** The budget that the failure counts against. @default - the one of the failure */
  readonly budget?: string | undefined;
  /** What the next attempt has more of. @default - nothing */
  readonly with?: MemoryGrowth | undefined;
}

/** Failures with all of these. Of one list, one entry is enough. A list that is absent matches every failure. */
export interface FaultMatch {
  readonly exitCodes?: readonly number[] | undefined;
  /** Reasons of containers or Pods, such as `OOMKilled` or `Evicted`. */
  readonly reason?: readonly string[] | undefined;
  /** Texts that the message contains. */
  readonly message?: readonly string[] | undefined;
  /** Types of Pod conditions with the status `True`, such as `DisruptionTarget`. */
  readonly podConditions?: readonly string[] | undefined;
}

/** More memory for the role whose containers failed. */
export interface MemoryGrowth {
  /** 1 or more. It multiplies what the failed attempt had. */
  readonly memoryFactor: number;
  /** A quantity. Memory never grows beyond it. @default - no limit */
  readonly max?: string | undefined;
}

/** How long a retry waits. Durations are texts, such as `10s`. */
export interface RetryBackoff {
  /** After the first failure. */
  readonly initial: string;
  /** 1 or more. It multiplies the time with each further failure. */
  readonly factor: number;
  /** The longest time, before jitter. */
  readonly max: string;
  /** From 0 to 1: the part of the time by which it varies in both directions. */
  readonly jitter: number;
  /** An attempt that ran for as long gives all budgets back, and starts the times anew. */
  readonly resetAfter: string;
}

/** The default policy. Each kind may have others. */
export const defaultRetryPolicy: RetryPolicy = {
  budgets: { submission: 3, run: 3, preemption: 10 },
  rules: [],
  backoff: { initial: '10s', factor: 2, max: '10m', jitter: 0.2, resetAfter: '1h' },
};

/**
 * Milliseconds from a failure to the next attempt.
 * @param failures consecutive ones, 1 or more
 * @param chance uniform in [0, 1)
 */
export function delayAfter(failures: number, backoff: RetryBackoff, chance: number): number {
  const { initial, factor, max, jitter } = backoff;
  const first = secondsOf(initial);
  // A long series exceeds what a number can be, and no time stays none.
  const grown = first === 0 ? 0 : Math.min(secondsOf(max), first * factor ** Math.min(failures - 1, 1_000));
  return Math.round(1_000 * grown * (1 + jitter * (2 * chance - 1)));
}
