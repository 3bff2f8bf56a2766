const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Days from which a time is shown in days alone, as kubectl does. */
const wholeDays = 8;

/** A length of time in at most two units, such as `59d`, `3d4h` or `12m`. @param ms at least 0 */
export function lengthOf(ms: number): string {
  const parts = [
    ['d', Math.floor(ms / day)],
    ['h', Math.floor((ms % day) / hour)],
    ['m', Math.floor((ms % hour) / minute)],
    ['s', Math.floor((ms % minute) / 1000)],
  ] as const;
  const first = parts.findIndex(([, count]) => count > 0);
  if (first === -1) return '0s';
  const shown = ms >= wholeDays * day ? parts.slice(0, 1) : parts.slice(first, first + 2);
  return shown.flatMap(([unit, count]) => (count > 0 ? `${count}${unit}` : [])).join('');
}

/**
 * A time as seen from now, such as `in 59d` or `2h ago`.
 * @param time as in a status. Undefined gives `-`
 * @param now milliseconds since 1970
 */
export function relativeTime(time: string | undefined, now: number): string {
  if (time === undefined) return '-';
  const ms = Date.parse(time) - now;
  return ms >= 0 ? `in ${lengthOf(ms)}` : `${lengthOf(-ms)} ago`;
}
