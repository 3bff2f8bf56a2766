const minute = 60_000;

/** Milliseconds by which the clocks of machines can differ. */
const tolerance = 60 * minute;

/**
 * Whether a time lies so far ahead that the clock was wrong when it was recorded. What was made at such a time is made
 * again, because it would otherwise last until then.
 * @param time milliseconds since 1970 @param now milliseconds since 1970
 */
export function isAhead(time: number, now: number): boolean {
  return time > now + tolerance;
}

/** Milliseconds by which a certificate is dated back, because the clocks of clients differ. */
export function backdatedBy(duration: number): number {
  return Math.min(minute, Math.floor(duration / 10));
}

/**
 * The validity of a certificate that is signed now, in whole seconds.
 * @param duration milliseconds
 * @param now milliseconds since 1970
 */
export function validFor(duration: number, now: number): { readonly from: number; readonly to: number } {
  const second = 1000;
  const from = Math.floor((now - backdatedBy(duration)) / second) * second;
  return { from, to: Math.floor((now + duration) / second) * second };
}

/** A duration for people, in at most two units, such as `89d 23h` or `10m`. @param ms milliseconds, which are rounded to seconds */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : []))
    .join(' ');
}
