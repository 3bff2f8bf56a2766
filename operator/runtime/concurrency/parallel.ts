/**
 * The number of concurrent requests of one reconcile. A resource with thousands of objects must leave connections to
 * the others.
 */
const places = 16;

/**
 * Runs the same work for each item, a few at a time.
 * @returns the results in the order of the items
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

/** The same for work that must not fail. @throws the first error of an item */
export async function allInParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const outcomes = await inParallel(items, work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
