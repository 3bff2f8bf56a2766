/** Whole numbers in a row, or a stretch of time in milliseconds since 1970: the first one and the last one. */
export type Range = readonly [first: number, last: number];

/** The report of a writer for one second. */
export interface Period {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Rows whose commits were answered, by their numbers. */
  readonly acknowledged: readonly Range[];
  /** Stretches of time without an answer that ended in it, if they were longer than 0.3 s. */
  readonly pauses: readonly Range[];
  /** When the last row so far was acknowledged; absent before the first one. */
  readonly last?: number;
  /** The number of rows without an acknowledgment, by error. These rows may exist or not. */
  readonly failed: Readonly<Record<string, number>>;
}

/** What a writer was promised: all rows that were acknowledged. */
export function acknowledgedIn(periods: readonly Period[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of periods.flatMap(({ acknowledged }) => acknowledged).toSorted(byFirst)) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** How many numbers there are. @param ranges that do not overlap */
export function countOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** The numbers of some ranges that others do not have. @param wanted, there in order, and none overlaps another of its own */
export function missingFrom(there: readonly Range[], wanted: readonly Range[]): readonly Range[] {
  return wanted.flatMap((range) => {
    const gaps: Range[] = [];
    let [next] = range;
    const [, last] = range;
    for (const [first, end] of there) {
      if (end < next || first > last) continue;
      if (first > next) gaps.push([next, first - 1]);
      next = end + 1;
    }
    return next > last ? gaps : [...gaps, [next, last] as const];
  });
}

/**
 * Stretches of time in which no row was acknowledged, the one included that has not ended yet.
 * @param since milliseconds since 1970: those that ended before are left out
 */
export function pausesIn(periods: readonly Period[], since: number): readonly Range[] {
  const ended = periods.flatMap(({ pauses }) => pauses).filter(([, to]) => to >= since);
  const { last, to } = periods.at(-1) ?? {};
  return last !== undefined && to !== undefined ? [...ended, [last, to]] : ended;
}

/** The longest of them, in milliseconds. */
export function longestPause(periods: readonly Period[], since: number): number {
  return Math.max(0, ...pausesIn(periods, since).map(([from, to]) => to - from));
}

function byFirst([one]: Range, [other]: Range): number {
  return one - other;
}
