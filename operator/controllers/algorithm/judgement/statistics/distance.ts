/** How far two histograms are apart. */
export interface Distance {
  /** As seen, which is never 0: chance alone puts some distance between two samples. */
  readonly value: number;
  /** The distance of what the samples are from is less than this with the risk that was given, at the most. */
  readonly atLeast: number;
  /** It is more than this with the risk that was given, at the most. */
  readonly atMost: number;
}

/** Counts of two samples in the same buckets. */
export interface Pair {
  readonly one: readonly number[];
  readonly other: readonly number[];
}
