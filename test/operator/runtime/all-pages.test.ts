import { expect, test } from 'vitest';
import { allPages } from '../../../operator/runtime/all-pages.js';
import type { Cluster, ListQuery } from '../../../operator/runtime/cluster.js';
import { ConfigMap } from '../../../operator/runtime/kinds.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap, live } from '../../given.js';
import { bound } from './given-house.js';

/** The names of all that comes, page by page. */
async function namesOf(pages: ReturnType<typeof allPages>): Promise<string[][]> {
  const names: string[][] = [];
  for await (const { items } of pages) names.push(items.map(({ metadata }) => metadata.name));
  return names;
}

/** A server that hands out one object a page. */
function givenPages(next: (page: number) => string | undefined): { cluster: Cluster; asked: ListQuery[] } {
  const asked: ListQuery[] = [];
  const list: Cluster['list'] = async (_, query) => {
    const page = asked.push(query);
    return { items: [live(configMap(`a${page}`))], resourceVersion: '1', bytes: 1, continue: next(page) };
  };
  return { cluster: { ...bound(new MemoryCluster()), list }, asked };
}

test('R5 asks page by page, for what is asked for', async () => {
  const { cluster, asked } = givenPages((page) => (page < 3 ? `page ${page + 1}` : undefined));
  const query = { namespace: 'team', labelSelector: 'a=b' };
  expect(await namesOf(allPages({ cluster, kind: ConfigMap }, query))).toEqual([['a1'], ['a2'], ['a3']]);
  const tokens = [undefined, 'page 2', 'page 3'];
  expect(asked).toEqual(tokens.map((token) => ({ ...query, limit: 100, continue: token })));
});

test('R5 a server that hands out the same page for ever is not asked for ever', async () => {
  const { cluster, asked } = givenPages(() => 'again');
  await expect(namesOf(allPages({ cluster, kind: ConfigMap }, {}))).rejects.toThrow('again and again');
  expect(asked).toHaveLength(2);
});
