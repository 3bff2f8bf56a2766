/** What there is of a quantity: the least, the one in the middle, the one that 90 % are not above, and the most. */
export interface Distribution {
  readonly least: number;
  readonly median: number;
  readonly p90: number;
  readonly most: number;
}

/** @throws {RangeError} of no values */
export function distributionOf(values: readonly number[]): Distribution {
  if (values.length === 0) throw new RangeError('nothing was measured: there is no distribution of no values');
  const inOrder = values.toSorted((one, other) => one - other);
  // The nearest rank: a value that was measured, none between two.
  const at = (share: number) => inOrder[Math.max(0, Math.ceil(share * inOrder.length) - 1)] ?? Number.NaN;
  return { least: at(0), median: at(0.5), p90: at(0.9), most: at(1) };
}
