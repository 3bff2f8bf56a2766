import { describe, expect, test } from 'vitest';
import { Stores } from '../../../../operator/runtime/cache/stores.js';
import { refer } from '../../../../operator/runtime/controller/reads.js';
import { ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { isPartial } from '../../../../operator/runtime/kubernetes/partial-metadata.js';
import { controllerContract, MemoryCluster } from '../../../../operator/testing/index.js';
import { type Loose, live } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { onTopics, type ReaderSpec, reader, readerController, readerKind, secret, themed } from '../given/readers.js';
import { conditionOf } from '../given/widgets.js';

const controllers = [readerController];

/** An operator of Readers, whose requests beside lists and watches are noted. */
async function givenReaders(objects: readonly [ObjectKind, Manifest][] = []) {
  const memory = new MemoryCluster();
  for (const [kind, object] of objects) await memory.apply(kind, object, { manager: 'somebody' });
  const asked: string[] = [];
  const given = new GivenOperator(
    {
      controllers,
      faults: (cluster) => ({
        ...bound(cluster),
        read: (kind, name, options) => {
          asked.push(`${kind.kind} ${name.name}`);
          return cluster.read(kind, name, options);
        },
        list: (kind, query) => {
          if (query.labelSelector?.includes('theme')) asked.push(`${kind.kind} ${query.labelSelector}`);
          return cluster.list(kind, query);
        },
      }),
    },
    memory,
  );
  await given.start();
  const saw = async (name = 'web', namespace = 'team') =>
    ((await memory.read(ConfigMap, { namespace, name: `${name}-saw` })) as Loose | undefined)?.['data'];
  /** Somebody writes an object. @returns the Readers that were looked at because of it */
  const write = async (kind: ObjectKind, object: Manifest) => {
    const before = given.passes.length;
    await given.given(kind, object);
    return given.passes.length - before;
  };
  return { given, memory, asked, saw, write };
}

const remove = async (memory: MemoryCluster, kind: ObjectKind, name: string) => {
  const object = await memory.read(kind, { namespace: 'team', name });
  if (object) await memory.remove(kind, object.metadata, { uid: object.metadata.uid });
  await settled();
};

describe('what an index finds', () => {
  const objects: [ObjectKind, Manifest][] = [
    [ConfigMap, onTopics('b', 'tea,jam')],
    [ConfigMap, onTopics('a', 'tea', 'other')],
    [ConfigMap, onTopics('c', 'jam')],
    [ConfigMap, themed('d', 'tea', 'black')],
  ];

  test.each([
    { finds: 'other/a,team/b', topic: 'tea' },
    { finds: 'team/b,team/c', topic: 'jam' },
    { finds: '', topic: 'rye' },
    { finds: '', topic: '__proto__' },
  ])('is "$finds" for the value $topic, in all namespaces and without a request', async ({ finds, topic }) => {
    const { saw, asked } = await givenReaders([...objects, [readerKind, reader('web', { topic })]]);
    expect(await saw()).toMatchObject({ onTopic: finds });
    expect(asked).toEqual([]);
  });

  test('is whole for a resource that comes later', async () => {
    const { saw, write, asked } = await givenReaders(objects);
    await write(readerKind, reader('web', { topic: 'tea' }));
    expect(await saw()).toMatchObject({ onTopic: 'other/a,team/b' });
    expect(asked).toEqual([]);
  });

  test.each([
    { wakes: 1, change: 'gets the value', object: onTopics('c', 'jam,tea'), sees: 'other/a,team/b,team/c' },
    { wakes: 1, change: 'loses the value', object: onTopics('b', 'jam'), sees: 'other/a' },
    { wakes: 1, change: 'is new', object: onTopics('e', 'tea', 'third'), sees: 'other/a,team/b,third/e' },
    { wakes: 0, change: 'has another value', object: onTopics('c', 'rye'), sees: 'other/a,team/b' },
  ])('wakes $wakes of the resources when an object $change', async ({ wakes, object, sees }) => {
    const { saw, write } = await givenReaders([...objects, [readerKind, reader('web', { topic: 'tea' })]]);
    expect(await write(ConfigMap, object)).toBe(wakes);
    expect(await saw()).toMatchObject({ onTopic: sees });
  });
});

describe('what a resource refers to', () => {
  const all: [ObjectKind, Manifest][] = [
    [Secret, secret('k', 'red')],
    [Secret, secret('m1', 'one')],
    [ConfigMap, themed('b', 'dark', 'black')],
    [ConfigMap, themed('a', 'dark', 'grey')],
    [ConfigMap, themed('c', 'light', 'white')],
    [ConfigMap, themed('d', 'dark', 'foreign', 'other')],
    [Secret, secret('k', 'blue', 'other')],
  ];
  const nothing = { key: 'nothing', more: '', themes: '' };

  test.each<{ saw: object; when: string; spec: ReaderSpec }>([
    { saw: nothing, when: 'it refers to nothing', spec: {} },
    { saw: { ...nothing, key: 'red' }, when: 'it names an object', spec: { key: 'k' } },
    { saw: { ...nothing, key: 'blue' }, when: 'it names one of another namespace', spec: { key: 'other/k' } },
    { saw: nothing, when: 'what it names is missing', spec: { key: 'none' } },
    { saw: { ...nothing, more: 'one,nothing,red' }, when: 'it names several', spec: { more: ['m1', 'none', 'k'] } },
    { saw: { ...nothing, themes: 'a=grey,b=black' }, when: 'it selects by labels', spec: { theme: 'dark' } },
    { saw: nothing, when: 'nothing has the labels', spec: { theme: 'constructor' } },
    { saw: nothing, when: 'a name is no name', spec: { key: '__proto__', more: [] } },
  ])('is seen as $saw when $when', async ({ saw: expected, spec }) => {
    const { saw } = await givenReaders([...all, [readerKind, reader('web', spec)]]);
    expect(await saw()).toEqual(expected);
  });

  test('is seen by assess too', async () => {
    const { memory, write } = await givenReaders([[readerKind, reader('web', { key: 'k' })]]);
    const read = async () => conditionOf(await memory.read(readerKind, { namespace: 'team', name: 'web' }), 'Read');
    expect(await read()).toMatchObject({ reason: 'Waiting' });
    await write(Secret, secret('k', 'red'));
    expect(await read()).toMatchObject({ reason: 'Complete' });
  });

  test('needs a namespace where the resource has none', () => {
    const { refersTo } = refer.named(Secret, () => 'k');
    const resource = { apiVersion: 'example.org/v1', kind: 'Estate', metadata: { name: 'all' } };
    expect(() => refersTo(live(resource))).toThrow(
      'Estate all refers to a Secret without a namespace: add the namespace to the name',
    );
  });
});

describe('a change of what is read', () => {
  test.each<{ wakes: number; when: string; change: [ObjectKind, Manifest] }>([
    { wakes: 1, when: 'one resource names it', change: [Secret, secret('k', 'green')] },
    { wakes: 2, when: 'two resources name it', change: [Secret, secret('shared', 'green')] },
    { wakes: 0, when: 'no resource names it', change: [Secret, secret('other', 'green')] },
    { wakes: 0, when: 'it has the name in another namespace', change: [Secret, secret('k', 'green', 'other')] },
    { wakes: 1, when: 'it appears under a name that is awaited', change: [Secret, secret('late', 'green')] },
    { wakes: 1, when: 'it appears with labels that are selected', change: [ConfigMap, themed('new', 'dark', 'red')] },
    { wakes: 1, when: 'it loses labels that are selected', change: [ConfigMap, themed('a', 'light', 'grey')] },
    { wakes: 0, when: 'it has other labels', change: [ConfigMap, themed('c', 'light', 'red')] },
    { wakes: 0, when: 'it has them elsewhere', change: [ConfigMap, themed('a', 'dark', 'red', 'other')] },
  ])('wakes $wakes resources when $when', async ({ wakes, change }) => {
    const { write } = await givenReaders([
      [Secret, secret('k', 'red')],
      [Secret, secret('shared', 'red')],
      [Secret, secret('other', 'red')],
      [ConfigMap, themed('a', 'dark', 'grey')],
      [ConfigMap, themed('c', 'light', 'white')],
      [readerKind, reader('one', { key: 'k', more: ['shared'] })],
      [readerKind, reader('two', { key: 'shared', more: ['late'] })],
      [readerKind, reader('three', { theme: 'dark' })],
    ]);
    expect(await write(...change)).toBe(wakes);
  });

  test('is seen: an edit, a deletion, a return', async () => {
    const { memory, saw, write } = await givenReaders([
      [Secret, secret('k', 'red')],
      [readerKind, reader('web', { key: 'k' })],
    ]);
    await write(Secret, secret('k', 'green'));
    expect(await saw()).toMatchObject({ key: 'green' });
    await remove(memory, Secret, 'k');
    expect(await saw()).toMatchObject({ key: 'nothing' });
    await write(Secret, secret('k', 'blue'));
    expect(await saw()).toMatchObject({ key: 'blue' });
  });

  test('wakes no resource that no longer refers to it or is deleted', async () => {
    const { given, memory, write } = await givenReaders([
      [Secret, secret('k', 'red')],
      [readerKind, reader('one', { key: 'k' })],
      [readerKind, reader('two', { key: 'k' })],
    ]);
    await write(readerKind, reader('one', {}));
    await remove(memory, readerKind, 'two');
    expect(await write(Secret, secret('k', 'green'))).toBe(0);
    const [loop] = given.operator.loops;
    expect(loop?.context.stores.isReferredTo(Secret, live(secret('k', 'green')))).toBe(false);
  });
});

describe('what the caches hold', () => {
  test('is all that is needed after a start: nothing is asked for', async () => {
    const { asked } = await givenReaders([
      [Secret, secret('k', 'red')],
      [ConfigMap, themed('a', 'dark', 'grey')],
      [readerKind, reader('web', { key: 'k', theme: 'dark' })],
    ]);
    expect(asked).toEqual([]);
  });

  test('is the metadata of what nobody refers to: whoever does later asks once', async () => {
    const { given, asked, saw, write } = await givenReaders([
      [Secret, secret('k', 'red')],
      [ConfigMap, themed('a', 'dark', 'grey')],
      [ConfigMap, themed('b', 'dark', 'black')],
    ]);
    const before = given.passes.length;
    await write(readerKind, reader('web', { key: 'k', theme: 'dark' }));
    expect(await saw()).toEqual({ key: 'red', more: '', themes: 'a=grey,b=black' });
    expect(given.passes.length).toBeGreaterThan(before);
    await write(readerKind, reader('soon', { key: 'k', theme: 'dark' }));
    expect(await saw('soon')).toMatchObject({ key: 'red' });
    await write(Secret, secret('k', 'green'));
    expect(await saw()).toMatchObject({ key: 'green' });
    await write(readerKind, reader('late', { key: 'k' }));
    expect(asked.toSorted()).toEqual(['ConfigMap theme=dark', 'Secret k']);
  });

  test('is not mixed with what is owned: a foreign ConfigMap is read, never pruned', async () => {
    const { given, memory } = await givenReaders([
      [ConfigMap, themed('a', 'dark', 'grey')],
      [readerKind, reader('web', { theme: 'dark' })],
    ]);
    expect(given.writes).toEqual([
      'create ConfigMap team/web-saw',
      'create Event team/web',
      'apply Reader/status team/web',
    ]);
    expect(await memory.read(ConfigMap, { namespace: 'team', name: 'a' })).toBeDefined();
  });

  test('are two stores where a kind is owned and read: what is written here is news to a reader', () => {
    const stores = new Stores();
    expect(stores.read(ConfigMap)).not.toBe(stores.of(ConfigMap));
    expect(stores.read(ConfigMap)).toBe(stores.read(ConfigMap));
  });
});

describe('an object that is kept in part', () => {
  const at = (resourceVersion: string, uid = 'u1') => live(secret('k', resourceVersion), { resourceVersion, uid });
  const given = () => {
    const store = new Stores().read(Secret);
    const heard: string[] = [];
    const { apiVersion, kind } = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
    store.replace([{ apiVersion, kind, metadata: at('5').metadata }], '5', '');
    store.listen(({ after }) => heard.push(after?.metadata.resourceVersion ?? 'gone'));
    return { store, heard };
  };
  const kept = (store: ReturnType<Stores['read']>) => store.get('team/k');

  test.each([
    { becomes: 'whole', when: 'the answer is of the same version', answer: at('5'), heard: [] },
    { becomes: 'whole', when: 'the answer is newer, which is news', answer: at('6'), heard: ['6'] },
    { becomes: 'partial', when: 'the answer is older', answer: at('4'), heard: [] },
    { becomes: 'partial', when: 'the answer is another object', answer: at('6', 'u2'), heard: [] },
  ])('becomes $becomes when $when', ({ becomes, answer, heard }) => {
    const { store, heard: told } = given();
    store.completed(answer);
    const now = kept(store);
    expect(now && isPartial(now) ? 'partial' : 'whole').toBe(becomes);
    expect(told).toEqual(heard);
  });

  test('does not come back when it is gone', () => {
    const { store } = given();
    store.told('DELETED', at('6'), '');
    store.completed(at('5'));
    expect(kept(store)).toBeUndefined();
  });
});

describe('the contract', () => {
  const resource = { ...reader('web', { key: 'k', theme: 'dark' }), spec: { key: 'k', theme: 'dark' } };
  const reads = [secret('k', 'red'), themed('a', 'dark', 'grey')];
  for (const { name, holds } of controllerContract(readerController, { resource, edited: { key: 'none' }, reads })) {
    test(name, holds);
  }
});
