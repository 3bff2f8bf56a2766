import { expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { allPages } from '../../../../operator/runtime/ports/all-pages.js';
import type { Cluster, ListQuery } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap, live } from '../../../given.js';
import { bound } from '../given/house.js';

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
  await expect(namesOf(allPages({ cluster, kind: ConfigMap }, {}))).rejects.toThrow(
    'the same page of a list repeatedly',
  );
  expect(asked).toHaveLength(2);
});

/** A server with so many ConfigMaps, of which no more than some are taken in at once from the one with this index on. */
async function givenLarge(count: number, most: number, from = 0): Promise<{ cluster: Cluster; limits: number[] }> {
  const memory = new MemoryCluster();
  for (let index = 0; index < count; index++)
    await memory.create(ConfigMap, configMap(`a${index}`), { manager: 'somebody' });
  const limits: number[] = [];
  let seen = 0;
  const list: Cluster['list'] = async (kind, query) => {
    limits.push(query.limit ?? 0);
    const page = await memory.list(kind, query);
    if (seen + page.items.length > from && page.items.length > most) throw tooLarge;
    seen += page.items.length;
    return page;
  };
  return { cluster: { ...bound(memory), list }, limits };
}

const tooLarge = new ApiError('the response exceeds the limit', { code: 200, reason: 'AnswerTooLarge' });
const all = Array.from({ length: 120 }, (_, index) => `a${index}`);

test.each([
  { when: 'all are large', most: 3, limits: [100, 50, 25, 12, 6, 3, ...Array<number>(39).fill(3)] },
  { when: 'each is', most: 1, limits: [100, 50, 25, 12, 6, 3, ...Array<number>(120).fill(1)] },
  { when: 'the last are', most: 10, from: 110, limits: [100, 100, 50, 25, 12, 6, 6, 6, 6] },
])('R9 R34 a page that is too large to be taken in is asked for in parts, and all are found: $when', async (given) => {
  const { cluster, limits } = await givenLarge(120, given.most, given.from);
  expect((await namesOf(allPages({ cluster, kind: ConfigMap }, {}))).flat()).toEqual(all);
  expect(limits).toEqual(given.limits);
});

test('R9 R34 one object that is too large to be taken in ends the listing, and says so', async () => {
  const { cluster, limits } = await givenLarge(5, 0);
  await expect(namesOf(allPages({ cluster, kind: ConfigMap }, {}))).rejects.toBe(tooLarge);
  expect(limits).toEqual([100, 50, 25, 12, 6, 3, 1]);
});
