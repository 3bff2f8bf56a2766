/**
 * When to look again.
 * @param times milliseconds until each time. Undefined and past times do not count
 * @returns the part of an assessment, without `requeueAfter` if no time is left
 */
export function requeueIn(...times: readonly (number | undefined)[]): { readonly requeueAfter?: number } {
  const left = times.filter((time) => time !== undefined && time > 0) as readonly number[];
  return left.length === 0 ? {} : { requeueAfter: Math.min(...left) };
}
