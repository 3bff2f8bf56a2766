/** How sure the bounds in sentences are. */
export const sure = 'with 95 % confidence';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** As `1,204`. */
export function counted(count: number): string {
  return grouped.format(Math.round(count));
}

/** As `97.1 %`, and never as `100 %` for less. @param share from 0 to 1 */
export function percent(share: number): string {
  const texts = [1, 2, 3, 4].map((digits) => bare(share * 100, digits, Math.round));
  return `${texts.find((text) => share === 1 || text !== '100') ?? 'nearly 100'} %`;
}

/** As `0.213`. */
export function amount(value: number): string {
  return bare(value, 3, Math.round);
}

/** Which way a bound is rounded: so that it still holds. */
export type Bound = 'atLeast' | 'atMost';

/** A bound of a share as `97.9 %`, on its side of the limit that it is compared with. */
export function percentBound(kind: Bound, share: number, limit: number): string {
  return `${onItsSide(kind, share * 100, limit * 100, 1)} %`;
}

/** A bound as `0.418`, on its side of the limit that it is compared with. */
export function amountBound(kind: Bound, value: number, limit: number): string {
  return onItsSide(kind, value, limit, 3);
}

/** As `41 ms`. */
export function milliseconds(seconds: number): string {
  return `${grouped.format(Number((seconds * 1000).toPrecision(3)))} ms`;
}

/** As `90 s` or `30 min`. */
export function duration(seconds: number): string {
  return seconds < 120 || seconds % 60 !== 0 ? `${counted(seconds)} s` : `${counted(seconds / 60)} min`;
}

/** With as many digits as are needed: `99 % is less than 99 %` would be said otherwise. */
function onItsSide(kind: Bound, value: number, limit: number, least: number): string {
  const round = kind === 'atLeast' ? Math.floor : Math.ceil;
  const texts = [0, 1, 2, 3].map((more) => bare(value, least + more, round));
  const isRight = (text: string) => Math.sign(Number(text) - limit) === Math.sign(value - limit);
  return texts.find(isRight) ?? bare(value, least + 4, round);
}

/** Without zeros that say nothing. */
function bare(value: number, digits: number, round: (value: number) => number): string {
  // Of what floating point makes of 0.07 * 100 nothing may be left for a bound to be rounded away from.
  const scaled = Number((value * 10 ** digits).toPrecision(12));
  return String(Number((round(scaled) / 10 ** digits).toFixed(digits)));
}
