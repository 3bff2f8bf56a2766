/** The confidence of the bounds in sentences. */
export const sure = 'with 95% confidence';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** For example `1,204`. */
export function counted(count: number): string {
  return grouped.format(Math.round(count));
}

/** For example `97.1%`. Never `100%` for a share below 1. @param share from 0 to 1 */
export function percent(share: number): string {
  const texts = [1, 2, 3, 4].map((digits) => bare(share * 100, digits, Math.round));
  return `${texts.find((text) => share === 1 || text !== '100') ?? 'nearly 100'}%`;
}

/** For example `0.213`. */
export function amount(value: number): string {
  return bare(value, 3, Math.round);
}

/** The kind of a bound. It decides the direction of rounding, so that the rounded bound still holds. */
export type Bound = 'atLeast' | 'atMost';

/** A bound of a share, for example `97.9%`. Rounding never moves it across the limit that it is compared with. */
export function percentBound(kind: Bound, share: number, limit: number): string {
  return `${onItsSide(kind, share * 100, limit * 100, 1)}%`;
}

/** A bound, for example `0.418`. Rounding never moves it across the limit that it is compared with. */
export function amountBound(kind: Bound, value: number, limit: number): string {
  return onItsSide(kind, value, limit, 3);
}

/** For example `41 ms`. */
export function milliseconds(seconds: number): string {
  return `${grouped.format(Number((seconds * 1000).toPrecision(3)))} ms`;
}

/** For example `90 s` or `30 min`. */
export function duration(seconds: number): string {
  return seconds < 120 || seconds % 60 !== 0 ? `${counted(seconds)} s` : `${counted(seconds / 60)} min`;
}

/** With as many digits as needed. Otherwise a sentence could read `99% is below the threshold of 99%`. */
function onItsSide(kind: Bound, value: number, limit: number, least: number): string {
  const round = kind === 'atLeast' ? Math.floor : Math.ceil;
  const texts = [0, 1, 2, 3].map((more) => bare(value, least + more, round));
  const isRight = (text: string) => Math.sign(Number(text) - limit) === Math.sign(value - limit);
  return texts.find(isRight) ?? bare(value, least + 4, round);
}

/** Without trailing zeros. */
function bare(value: number, digits: number, round: (value: number) => number): string {
  // Removes the floating-point error of products such as 0.07 * 100, which would move a bound when it is rounded.
  const scaled = Number((value * 10 ** digits).toPrecision(12));
  return String(Number((round(scaled) / 10 ** digits).toFixed(digits)));
}
