/** Requests of one pass at a time: whoever has thousands of objects must leave connections to the others. */
const places = 16;

/**
 * Does the same to each, a few at a time.
 * @returns what came of each, in their order
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) {
      [outcomes[index]] = (await Promise.allSettled([work(item)])) as [PromiseSettledResult<R>];
    }
  };
  await Promise.all(Array.from({ length: Math.min(places, items.length) }, worker));
  return outcomes;
}

/** The same, of what may not fail. @throws what the first of them that failed threw */
export async function allInParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const outcomes = await inParallel(items, work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
