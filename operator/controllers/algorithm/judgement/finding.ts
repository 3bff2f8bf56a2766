/**
 * What can be said of a version: `missing` when there are no numbers, `undecided` when there are too few. Neither of
 * the two is bad.
 */
export type Judgement = 'good' | 'bad' | 'undecided' | 'missing';

/** What can be said of one measure. */
export interface Finding {
  readonly verdict: Judgement;
  /** For people; true with 95 % confidence, all that is said during a trial taken together. */
  readonly sentence: string;
  /** What was measured: the share that succeeded, the percentile in seconds, or the drift. */
  readonly value?: number;
  /** What `value` would at least be if there were numbers without end. */
  readonly atLeast?: number;
  /** What `value` would at most be. */
  readonly atMost?: number;
  /** Requests or observations that this was seen in. */
  readonly count: number;
}
