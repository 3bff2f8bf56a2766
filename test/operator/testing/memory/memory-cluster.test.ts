import { describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap } from '../../../given.js';
import { clusterContract } from '../../cluster/cluster.contract.js';
import { settled } from '../../fake-clock.js';

clusterContract(async () => ({ cluster: new MemoryCluster(), namespace: 'team' }));

const manager = 'somebody';

describe('a memory cluster', () => {
  it('keeps a diary of the writes, dry runs apart', async () => {
    const cluster = new MemoryCluster();
    const { metadata } = await cluster.create(ConfigMap, configMap('a'), { manager });
    await cluster.apply(ConfigMap, configMap('a'), { manager, dryRun: true });
    await cluster.apply(ConfigMap, configMap('a'), { manager, subresource: 'status' });
    await cluster.remove(ConfigMap, metadata, { uid: metadata.uid });
    expect(cluster.writes).toEqual([
      { verb: 'create', kind: 'ConfigMap', key: 'team/a', manager },
      { verb: 'apply', kind: 'ConfigMap', key: 'team/a', manager, subresource: 'status' },
      { verb: 'remove', kind: 'ConfigMap', key: 'team/a' },
    ]);
    cluster.forgetWrites();
    expect(cluster.writes).toEqual([]);
  });

  it('sends bookmarks, ends watches and forgets, when it is told to', async () => {
    const cluster = new MemoryCluster();
    await cluster.create(ConfigMap, configMap('a'), { manager });
    const told: string[] = [];
    const follow = async (resourceVersion: string) => {
      for await (const { type } of cluster.watch(ConfigMap, { resourceVersion, timeoutSeconds: 60 })) told.push(type);
      told.push('end');
    };
    const first = follow('0');
    await settled();
    cluster.bookmark();
    await settled();
    cluster.endWatches();
    await first;
    expect(told).toEqual(['ADDED', 'BOOKMARK', 'end']);
    cluster.expire();
    await expect(follow('101')).rejects.toMatchObject({ code: 410, reason: 'Expired' });
  });

  it('sends no bookmark to those who have heard of more', async () => {
    const cluster = new MemoryCluster();
    await cluster.create(ConfigMap, configMap('a'), { manager });
    const follow = cluster.watch(ConfigMap, { resourceVersion: '0', timeoutSeconds: 60 })[Symbol.asyncIterator]();
    await follow.next();
    cluster.bookmark();
    await cluster.create(ConfigMap, configMap('b'), { manager });
    expect((await follow.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    const next = follow.next();
    await settled();
    await cluster.create(ConfigMap, configMap('c'), { manager });
    expect((await next).value).toMatchObject({ object: { metadata: { name: 'c' } } });
  });

  const deep = Array.from({ length: 1_100 }).reduce((inner: object) => ({ inner }), {});

  it.each([
    ['frozen objects', {}],
    ['copies of those that are nested too deep to be frozen', { deep }],
  ])('hands out %s', async (_, more) => {
    const cluster = new MemoryCluster();
    const created = await cluster.create(ConfigMap, { ...configMap('a', { data: { a: '1' } }), ...more }, { manager });
    const { items } = await cluster.list(ConfigMap, {});
    const read = await cluster.read(ConfigMap, created.metadata);
    for (const { data } of [created, ...items, read] as unknown as readonly { readonly data: object }[])
      expect(Reflect.set(data, 'a', '2')).toBe('deep' in more);
    expect(await cluster.read(ConfigMap, created.metadata)).toMatchObject({ data: { a: '1' } });
  });
});
