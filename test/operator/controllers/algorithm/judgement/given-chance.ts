/** Numbers from 0 to 1 that look like chance and are the same each time. */
export type Chance = () => number;

/** Mulberry32. */
export function givenChance(seed: number): Chance {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many of `total` happen, each with `share`. */
export function drawn(chance: Chance, total: number, share: number): number {
  let hits = 0;
  for (let one = 0; one < total; one += 1) if (chance() < share) hits += 1;
  return hits;
}

/** How many of `total` fall into each bucket. @param shares of the buckets, together 1 */
export function drawnInto(chance: Chance, total: number, shares: readonly number[]): number[] {
  const counts = shares.map(() => 0);
  const ends = shares.map((_, index) => shares.slice(0, index + 1).reduce((sum, share) => sum + share, 0));
  for (let one = 0; one < total; one += 1) {
    const drawn = chance();
    let bucket = 0;
    while (bucket < ends.length - 1 && drawn >= (ends[bucket] ?? 1)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
