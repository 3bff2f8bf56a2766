/**
 * Pseudorandom numbers in [0, 1). The same seed gives the same numbers.
 * @see https://en.wikipedia.org/wiki/Linear_congruential_generator
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
