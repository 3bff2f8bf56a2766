import type { LiveObject } from '../../runtime/kubernetes/object.js';
import { allPages, type Listing, pageSize } from '../../runtime/ports/all-pages.js';
import type { ListQuery } from '../../runtime/ports/cluster.js';

/**
 * The first objects of a list, up to a maximum. They are read page by page, because other users create them and all of
 * them may exceed the memory.
 */
export async function* boundedPages(
  most: number,
  listing: Listing,
  query: Omit<ListQuery, 'limit' | 'continue'>,
): AsyncGenerator<readonly LiveObject[], void> {
  let left = most;
  for await (const { items } of allPages(listing, { ...query, limit: Math.min(most, pageSize) })) {
    yield items.slice(0, left);
    left -= items.length;
    if (left <= 0) return;
  }
}
