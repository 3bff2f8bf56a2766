/** One of all at random. Undefined if there are none. */
export function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}
