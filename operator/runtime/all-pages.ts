import type { Cluster, ListQuery } from './cluster.js';
import type { ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';

/** Objects a page: of the largest that etcd takes, 1.5 MB each, a page still fits beside everything else. */
export const pageSize = 100;

/**
 * What there is of a kind, by the server's own word, in pages, of which no more is kept than somebody wants.
 * @throws {Error} when the server hands out the same page again and again
 */
export async function allPages(
  { cluster, kind }: { readonly cluster: Cluster; readonly kind: ObjectKind },
  query: Omit<ListQuery, 'limit' | 'continue'>,
  isWanted: (object: LiveObject) => boolean,
): Promise<LiveObject[]> {
  const found: LiveObject[] = [];
  for (let token: string | undefined; ; ) {
    const page = await cluster.list(kind, { ...query, limit: pageSize, continue: token });
    found.push(...page.items.filter(isWanted));
    if (!page.continue) return found;
    token = nextPage(page.continue, token);
  }
}

/** @throws {Error} when it is the page that was asked for */
export function nextPage(next: string, asked: string | undefined): string {
  if (next === asked) throw new Error('the API server hands out the same page of a list again and again');
  return next;
}
