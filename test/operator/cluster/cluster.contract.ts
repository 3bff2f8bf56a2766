import { describe, expect, it } from 'vitest';
import {
  ConfigMap,
  Deployment,
  type LiveConfigMap,
  type ObjectKind,
} from '../../../operator/runtime/kubernetes/kinds.js';
import { compareVersions } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster, WatchEvent, WatchQuery } from '../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../given.js';
import { applyContract, type GivenCluster } from './apply.contract.js';
import { zeroValuesContract } from './zero-values.contract.js';

const manager = 'reconstruct-contract';
const other = { manager: 'somebody-else' };
const wait = 20_000;

/** What every implementation of {@link Cluster} does. Where two differ, the real API server is right. */
export function clusterContract(given: () => Promise<GivenCluster>): void {
  describe('a create', () => {
    it('R1 keeps every field as sent and returns the fields that the server added', async () => {
      const { cluster, namespace } = await given();
      const data = { text: 'ünïcode ✓', __proto__key: '', constructor: 'x' };
      const created = await cluster.create(ConfigMap, configMap('a', { namespace, data, annotations: { b: '1' } }), {
        manager,
      });
      expect(created).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data,
        metadata: { annotations: { b: '1' } },
      });
      expect(created.metadata).toMatchObject({
        uid: expect.any(String),
        resourceVersion: expect.stringMatching(/^\d+$/),
      });
      expect(await cluster.read(ConfigMap, { namespace, name: 'a' })).toEqual(created);
    });

    it('returns the keys of a map in their order, whatever order they were sent in', async () => {
      const { cluster, namespace } = await given();
      const manifest = configMap('a', { namespace, data: { b: '1', a: '1' }, annotations: { d: '1', c: '1' } });
      const { data, metadata } = (await cluster.create(ConfigMap, manifest, { manager })) as LiveConfigMap;
      expect([Object.keys(data ?? {}), Object.keys(metadata.annotations ?? {})]).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    });

    it('R4 of an existing name fails with AlreadyExists and keeps the object', async () => {
      const { cluster, namespace } = await given();
      const first = await cluster.create(ConfigMap, configMap('a', { namespace, data: { a: '1' } }), { manager });
      const second = cluster.create(ConfigMap, configMap('a', { namespace, data: { a: '2' } }), { manager });
      await expect(second).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
      expect(await cluster.read(ConfigMap, { namespace, name: 'a' })).toEqual(first);
    });

    it('stores nothing when it is a dry run', async () => {
      const { cluster, namespace } = await given();
      const answer = await cluster.create(ConfigMap, configMap('a', { namespace }), { manager, dryRun: true });
      expect(answer.metadata.name).toBe('a');
      expect(await cluster.read(ConfigMap, { namespace, name: 'a' })).toBeUndefined();
    });
  });

  describe('a read', () => {
    it('of a missing object returns undefined', async () => {
      const { cluster, namespace } = await given();
      expect(await cluster.read(ConfigMap, { namespace, name: 'nothing' })).toBeUndefined();
    });

    it("R2 throws its signal's reason when that is aborted", async () => {
      const { cluster, namespace } = await given();
      const reason = new Error('not wanted any more');
      const reading = cluster.read(ConfigMap, { namespace, name: 'a' }, { signal: AbortSignal.abort(reason) });
      await expect(reading).rejects.toBe(reason);
    });
  });

  describe('the discovery', () => {
    it('R22 returns the served versions of a kind', async () => {
      const { cluster } = await given();
      expect(await cluster.discover(ConfigMap)).toEqual(['v1']);
      expect(await cluster.discover(Deployment)).toEqual(['v1']);
    });
  });

  applyContract(given);
  zeroValuesContract(given);

  describe('a JSON Patch', () => {
    it('changes only the named fields', async () => {
      const { cluster, namespace } = await given();
      await cluster.create(
        ConfigMap,
        configMap('a', { namespace, data: { a: '1', b: '1' }, annotations: { 'c.example.org/d': '1', e: '1' } }),
        { manager },
      );
      const answer = await cluster.patch(
        ConfigMap,
        { namespace, name: 'a' },
        [
          { op: 'test', path: '/data/a', value: '1' },
          { op: 'replace', path: '/data/a', value: '2' },
          { op: 'remove', path: '/metadata/annotations/c.example.org~1d' },
          { op: 'add', path: '/data/d', value: '2' },
        ],
        { manager },
      );
      expect(answer).toMatchObject({ data: { a: '2', b: '1', d: '2' } });
      expect(answer.metadata.annotations).toEqual({ e: '1' });
    });

    it.each([
      { reason: 'Invalid', when: 'a test fails', patch: { op: 'test', path: '/data/a', value: '2' } },
      { reason: 'Invalid', when: 'a path does not exist', patch: { op: 'remove', path: '/data/b' } },
      {
        reason: 'Conflict',
        when: 'the version is older',
        patch: { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
      },
    ] as const)('fails with $reason when $when', async ({ reason, patch }) => {
      const { cluster, namespace } = await given();
      await cluster.create(ConfigMap, configMap('a', { namespace, data: { a: '1' } }), { manager });
      const patching = cluster.patch(ConfigMap, { namespace, name: 'a' }, [patch], { manager });
      await expect(patching).rejects.toMatchObject({ reason });
    });
  });

  describe('a removal', () => {
    it('R22 takes the object that was looked at, and is done when it is gone', async () => {
      const { cluster, namespace } = await given();
      const { metadata } = await cluster.create(ConfigMap, configMap('a', { namespace }), { manager });
      expect(await cluster.remove(ConfigMap, metadata, { uid: metadata.uid })).toBeUndefined();
      expect(await cluster.read(ConfigMap, metadata)).toBeUndefined();
      expect(await cluster.remove(ConfigMap, metadata, { uid: metadata.uid })).toBeUndefined();
    });

    it.each([
      { seen: 'another UID', precondition: () => ({ uid: '00000000-0000-0000-0000-000000000000' }) },
      { seen: 'an older version', precondition: ({ uid }: { uid: string }) => ({ uid, resourceVersion: '1' }) },
    ])('R22 of $seen meets a conflict, and leaves the object', async ({ precondition }) => {
      const { cluster, namespace } = await given();
      const { metadata } = await cluster.create(ConfigMap, configMap('a', { namespace }), { manager });
      const removing = cluster.remove(ConfigMap, metadata, precondition(metadata));
      await expect(removing).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
      expect(await cluster.read(ConfigMap, metadata)).toBeDefined();
    });

    it('R28 of an object with a finalizer gives it back as it goes, and the last finalizer lets it go', async () => {
      const { cluster, namespace } = await given();
      const held = configMap('a', { namespace, finalizers: ['example.org/ours'] });
      const { metadata } = await cluster.apply(ConfigMap, held, { manager });
      const leaving = await cluster.remove(ConfigMap, metadata, { uid: metadata.uid });
      expect(leaving?.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      await cluster.apply(ConfigMap, configMap('a', { namespace, finalizers: [] }), { manager });
      expect(await cluster.read(ConfigMap, metadata)).toBeUndefined();
    });
  });

  describe('a write that may not leave', () => {
    const reason = new Error('not any more');
    const mayLeave = () => {
      throw reason;
    };
    it('R29 is not sent, and throws why', async () => {
      const { cluster, namespace } = await given();
      const name = { namespace, name: 'a' };
      const object = configMap('a', { namespace });
      const options = { manager, mayLeave };
      await expect(cluster.create(ConfigMap, object, options)).rejects.toBe(reason);
      await expect(cluster.apply(ConfigMap, object, options)).rejects.toBe(reason);
      expect(await cluster.read(ConfigMap, name)).toBeUndefined();
      const { metadata } = await cluster.create(ConfigMap, object, { manager });
      const patch = [{ op: 'add', path: '/data', value: { a: '1' } }] as const;
      await expect(cluster.patch(ConfigMap, name, patch, options)).rejects.toBe(reason);
      await expect(cluster.remove(ConfigMap, name, { uid: metadata.uid }, { mayLeave })).rejects.toBe(reason);
      expect((await cluster.read(ConfigMap, name))?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    });
  });

  describe('a list', () => {
    it('R5 in pages gives all of one state, each object once', async () => {
      const { cluster, namespace } = await given();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await cluster.create(ConfigMap, mark(namespace, name), { manager });
      const query = { namespace, labelSelector: 'example.org/mark', limit: 2 };
      const first = await cluster.list(ConfigMap, query);
      await cluster.create(ConfigMap, mark(namespace, 'late'), { manager });
      const second = await cluster.list(ConfigMap, { ...query, continue: first.continue });
      const third = await cluster.list(ConfigMap, { ...query, continue: second.continue });
      const names = [first, second, third].map(({ items }) => items.map(({ metadata }) => metadata.name));
      expect(names).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      expect(third.continue).toBeUndefined();
      expect(new Set([first, second, third].map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    });

    it('R1 has all of each object, and says what it is', async () => {
      const { cluster, namespace } = await given();
      const created = await cluster.create(ConfigMap, mark(namespace, 'a', { text: 'ünïcode ✓' }), { manager });
      const { items } = await cluster.list(ConfigMap, { namespace, labelSelector: 'example.org/mark=a' });
      expect(items).toEqual([created]);
    });
  });

  describe('a watch', () => {
    it('R5 goes on where the list was taken, in order, and sees its selection alone', { timeout: wait }, async () => {
      const { cluster, namespace } = await given();
      await cluster.create(ConfigMap, mark(namespace, 'before'), { manager });
      const scope = { namespace, labelSelector: 'example.org/mark' };
      const { resourceVersion } = await cluster.list(ConfigMap, scope);
      const { metadata } = await cluster.create(ConfigMap, mark(namespace, 'a'), { manager });
      await cluster.create(ConfigMap, configMap('unmarked', { namespace }), { manager });
      await cluster.apply(ConfigMap, mark(namespace, 'a', { a: '2' }), other);
      await cluster.remove(ConfigMap, metadata, { uid: metadata.uid });
      expect(await news(cluster, ConfigMap, { ...scope, resourceVersion, timeoutSeconds: 60 }, 3)).toEqual([
        'ADDED a',
        'MODIFIED a',
        'DELETED a',
      ]);
    });

    it('R9 sends a deletion when an object loses the label and an addition when it gains it', {
      timeout: wait,
    }, async () => {
      const { cluster, namespace } = await given();
      const scope = { namespace, labelSelector: 'example.org/mark' };
      await cluster.apply(ConfigMap, mark(namespace, 'a'), { manager });
      const { resourceVersion } = await cluster.list(ConfigMap, scope);
      await cluster.apply(ConfigMap, configMap('a', { namespace }), { manager });
      await cluster.apply(ConfigMap, mark(namespace, 'a'), { manager });
      expect(await news(cluster, ConfigMap, { ...scope, resourceVersion, timeoutSeconds: 60 }, 2)).toEqual([
        'DELETED a',
        'ADDED a',
      ]);
    });

    it('R5 without a version sends all objects, then a bookmark, and continues', { timeout: wait }, async () => {
      const { cluster, namespace } = await given();
      for (const name of ['a', 'b', 'c']) await cluster.create(ConfigMap, mark(namespace, name), { manager });
      await cluster.create(ConfigMap, configMap('unmarked', { namespace }), { manager });
      const query = { namespace, labelSelector: 'example.org/mark', timeoutSeconds: 60 };
      const { resourceVersion } = await cluster.list(ConfigMap, query);
      const heard: string[] = [];
      for await (const event of cluster.watch(ConfigMap, query)) {
        if (event.type === 'BOOKMARK') continue;
        heard.push('object' in event ? `${event.type} ${event.object.metadata.name}` : event.type);
        if (event.type === 'SYNCED') {
          expect(compareVersions(event.resourceVersion, resourceVersion)).toBeGreaterThanOrEqual(0);
          await cluster.create(ConfigMap, mark(namespace, 'late'), { manager });
        }
        if (heard.at(-1) === 'ADDED late') break;
      }
      expect(heard.slice(0, 3).toSorted()).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
      expect(heard.slice(3)).toEqual(['SYNCED', 'ADDED late']);
    });

    it('sends changes while it is open', { timeout: wait }, async () => {
      const { cluster, namespace } = await given();
      const { resourceVersion } = await cluster.list(ConfigMap, { namespace });
      const query = { namespace, labelSelector: 'example.org/mark', resourceVersion, timeoutSeconds: 60 };
      const heard = news(cluster, ConfigMap, query, 1);
      await cluster.create(ConfigMap, mark(namespace, 'a'), { manager });
      expect(await heard).toEqual(['ADDED a']);
    });

    it("throws its signal's reason when that aborts", async () => {
      const { cluster, namespace } = await given();
      const { resourceVersion } = await cluster.list(ConfigMap, { namespace });
      const aborting = new AbortController();
      const query = { namespace, labelSelector: 'example.org/mark', resourceVersion, timeoutSeconds: 60 };
      const heard = news(cluster, ConfigMap, { ...query, signal: aborting.signal }, 1);
      const reason = new Error('enough');
      aborting.abort(reason);
      await expect(heard).rejects.toBe(reason);
    });
  });
}

function mark(namespace: string, name: string, data: Record<string, string> = {}) {
  return configMap(name, { namespace, data, labels: { 'example.org/mark': name } });
}

/** The first so many events that are news. */
async function news(cluster: Cluster, kind: ObjectKind, query: WatchQuery, count: number): Promise<string[]> {
  const heard: WatchEvent[] = [];
  for await (const event of cluster.watch(kind, query)) {
    if (event.type !== 'BOOKMARK') heard.push(event);
    if (heard.length === count) break;
  }
  return heard.map((event) => ('object' in event ? `${event.type} ${event.object.metadata.name}` : event.type));
}
