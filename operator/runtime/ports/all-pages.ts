import { isApiError } from '../kubernetes/errors.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { Cluster, ListQuery, Page } from './cluster.js';

/** Objects a page, as long as they are of the usual size: one may be a thousand times as long. */
export const pageSize = 100;

/** What is listed. */
export interface Listing {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly kind: ObjectKind;
}

/**
 * What there is of a kind, by the server's own word, page by page: all of a namespace may be more than there is memory.
 * Where so many objects are longer than what is taken in at once, pages of half as many are asked for, down to one object:
 * anybody may give his own objects our label, as large as the API server takes them.
 * @throws {ApiError} AnswerTooLarge for one object that is longer
 * @throws {Error} when the server hands out the same page again and again
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
    if (page.continue === asked) throw new Error('the API server hands out the same page of a list again and again');
    asked = page.continue;
  }
}
