import type { LiveObject } from '../../runtime/kubernetes/object.js';
import { allPages, type Listing, pageSize } from '../../runtime/ports/all-pages.js';
import type { ListQuery } from '../../runtime/ports/cluster.js';

/**
 * What an answer is made of: the first objects of a listing, so many at the most. They come page by page, since all of them,
 * which others wrote, may be more than there is memory.
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
