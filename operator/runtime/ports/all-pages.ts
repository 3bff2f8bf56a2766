import { isApiError } from '../kubernetes/errors.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { Cluster, ListQuery, Page } from './cluster.js';

/** Objects in a page of objects of the usual size. One object may be a thousand times as long. */
export const pageSize = 100;

/** The objects to list. */
export interface Listing {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly kind: ObjectKind;
}

/**
 * Lists a kind from the server, page by page, because a namespace may hold more than fits in memory. If a page exceeds
 * the response limit, pages of half as many objects are requested, down to one object. Any user can set our label on
 * his own objects, as large as the API server accepts.
 * @throws {ApiError} AnswerTooLarge if a single object exceeds the limit
 * @throws {Error} if the server returns the same page again and again
 */
export async function* allPages(
  { cluster, kind }: Listing,
  { limit = pageSize, ...query }: Omit<ListQuery, 'continue'>,
): AsyncGenerator<Page, void> {
  let size = limit;
  const next = async (asked: string | undefined): Promise<Page> => {
    for (;;)
      try {
        return await cluster.list(kind, { ...query, limit: size, continue: asked });
      } catch (error) {
        if (size === 1 || !isApiError(error, 'AnswerTooLarge')) throw error;
        size = Math.floor(size / 2);
      }
  };
  for (let asked: string | undefined; ; ) {
    const page = await next(asked);
    yield page;
    if (!page.continue) return;
    if (page.continue === asked) throw new Error('the API server returns the same page of a list repeatedly');
    asked = page.continue;
  }
}
