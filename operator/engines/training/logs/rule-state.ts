import type { LogRule } from '../../../controllers/training/ports/logs.js';

/** A line of a log, as one rule sees it. */
export interface SeenLine {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  /** Whether `logPattern` matches. */
  readonly isMatch: boolean;
  /** The text of the first group of `logPattern`. */
  readonly value?: string | undefined;
  /** Whether `stopPattern` matches. */
  readonly isStop: boolean;
}

/** A line that counts, and when it was written. */
interface Marked {
  readonly at: number;
  readonly text: string;
}

/** What a rule knows of the log of one Pod. */
export interface RuleState {
  /** Matches so far, so that none is counted twice. */
  readonly matches: number;
  readonly last?: Marked | undefined;
  /** Bad values in a row, up to the number that is a fault. */
  readonly bad: number;
  /** The bad value that was one too many, until a good one follows. */
  readonly slow?: Marked | undefined;
  /** The first line that was a fault by itself. */
  readonly fault?: Marked | undefined;
  readonly isStopped: boolean;
}

/** A rule that has seen nothing yet. */
export const unseen: RuleState = { matches: 0, bad: 0, isStopped: false };

/** What a rule knows after one more line. */
export function seen(rule: LogRule, state: RuleState, line: SeenLine): RuleState {
  if (state.isStopped) return state;
  const after = line.isMatch ? matched(rule, state, line) : state;
  // What was slow before the rule ended is of no matter after it. A fault stays one.
  return line.isStop ? { ...after, bad: 0, slow: undefined, isStopped: true } : after;
}

function matched(rule: LogRule, state: RuleState, { at, text, value }: SeenLine): RuleState {
  const last = { at, text };
  const counted = { ...state, matches: state.matches + 1, last };
  if (rule.faultOnMatch) return { ...counted, fault: state.fault ?? last };
  const isBad = badness(rule, value);
  if (isBad === undefined) return counted;
  if (!isBad) return { ...counted, bad: 0, slow: undefined };
  const { metricEvaluationDataPoints: most = 1 } = rule;
  const bad = Math.min(most, state.bad + 1);
  return { ...counted, bad, slow: bad < most ? undefined : (state.slow ?? last) };
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gteq: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lteq: (value, limit) => value <= limit,
  eq: (value, limit) => value === limit,
};

/** Whether a value is bad. Undefined for a rule without a threshold, and for a text that is no number. */
function badness({ metricThreshold, operator }: LogRule, value = ''): boolean | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (metricThreshold === undefined || operator === undefined || Number.isNaN(number)) return undefined;
  return comparisons[operator]?.(number, metricThreshold);
}
