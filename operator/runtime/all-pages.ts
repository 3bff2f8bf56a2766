import type { Cluster, ListQuery, Page } from './cluster.js';
import type { ObjectKind } from './kinds.js';

/** Objects a page: of the largest that etcd takes, 1.5 MB each, a page still fits beside everything else. */
const pageSize = 100;

/**
 * What there is of a kind, by the server's own word, page by page: all of a namespace may be more than there is memory.
 * @throws {Error} when the server hands out the same page again and again
 */
export async function* allPages(
  { cluster, kind }: { readonly cluster: Cluster; readonly kind: ObjectKind },
  query: Omit<ListQuery, 'limit' | 'continue'>,
): AsyncGenerator<Page, void> {
  for (let asked: string | undefined; ; ) {
    const page = await cluster.list(kind, { ...query, limit: pageSize, continue: asked });
    yield page;
    if (!page.continue) return;
    if (page.continue === asked) throw new Error('the API server hands out the same page of a list again and again');
    asked = page.continue;
  }
}
