/** The distance between two histograms. */
export interface Distance {
  /** The observed distance. Chance alone puts some distance between two samples. */
  readonly value: number;
  /** Lower bound: the true distance is less than this with at most the given risk. */
  readonly atLeast: number;
  /** Upper bound: the true distance is more than this with at most the given risk. */
  readonly atMost: number;
}

/** The counts of two samples in the same buckets. */
export interface Pair {
  readonly one: readonly number[];
  readonly other: readonly number[];
}
