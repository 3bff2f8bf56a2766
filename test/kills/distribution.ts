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
  const at = (share: number) => ranked(inOrder, share);
  return { least: at(0), median: at(0.5), p90: at(0.9), most: at(1) };
}

/**
 * The value that this share of all is not above, as it was measured: the nearest rank.
 * @param values at least one
 * @param share from 0 to 1
 */
export function quantileOf(values: readonly number[], share: number): number {
  return ranked(
    values.toSorted((one, other) => one - other),
    share,
  );
}

function ranked(inOrder: readonly number[], share: number): number {
  return inOrder[Math.max(0, Math.ceil(share * inOrder.length) - 1)] ?? Number.NaN;
}
