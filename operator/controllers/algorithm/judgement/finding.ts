/**
 * The result of an analysis. `missing` means that there are no metrics, `undecided` that there are too few. Neither
 * counts as bad.
 */
export type Judgement = 'good' | 'bad' | 'undecided' | 'missing';

/** The result of the analysis of one measure. */
export interface Finding {
  readonly verdict: Judgement;
  /** For users. All sentences of a trial together hold with 95% confidence. */
  readonly sentence: string;
  /** The measured value: the share of requests that succeeded, the percentile in seconds, or the drift. */
  readonly value?: number;
  /** Lower confidence bound of the true value. */
  readonly atLeast?: number;
  /** Upper confidence bound of the true value. */
  readonly atMost?: number;
  /** The number of requests or observations that were analyzed. */
  readonly count: number;
}
