/** A whole number to two significant digits, so that a status does not change with each record. */
export function twoDigits(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.round(value / unit) * unit;
}
