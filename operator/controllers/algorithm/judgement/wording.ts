/** How sure the bounds in sentences are. */
export const sure = 'with 95 % confidence';

/** As `1,204`. */
export function counted(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/**
 * As `97.1 %`: with as many digits, from one to six, as keep the rounded share on its side of a limit, since `99 % is
 * less than 99 %` would be said otherwise.
 *
 * @param share from 0 to 1
 */
export function percent(share: number, limit?: number): string {
  return `${rounded(share * 100, 1, limit === undefined ? undefined : limit * 100)} %`;
}

/** As `0.213`, on its side of a limit. */
export function amount(value: number, limit?: number): string {
  return rounded(value, 3, limit);
}

/** As `41 ms`. */
export function milliseconds(seconds: number): string {
  return `${Number((seconds * 1000).toPrecision(3)).toLocaleString('en-US')} ms`;
}

/** As `90 s` or `30 min`. */
export function duration(seconds: number): string {
  return seconds < 120 || seconds % 60 !== 0 ? `${counted(seconds)} s` : `${counted(seconds / 60)} min`;
}

function rounded(value: number, least: number, limit: number | undefined): string {
  for (let digits = least; digits < 6; digits += 1) {
    const text = value.toFixed(digits);
    if (limit === undefined || Math.sign(Number(text) - limit) === Math.sign(value - limit)) return bare(text);
  }
  return bare(value.toFixed(6));
}

/** Without zeros that say nothing. */
function bare(text: string): string {
  return text.replace(/\.?0+$/, '');
}
