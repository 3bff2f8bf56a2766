// Numbers of a status are rounded, so that it does not change with each record.

/** A whole number, rounded to two significant digits. */
export function toTwoDigits(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.round(value / unit) * unit;
}

/** A percentage in steps of 5, and exact from 95 on. */
export function percentInSteps(percent: number): number {
  return percent < 95 ? 5 * Math.floor(percent / 5) : percent;
}
