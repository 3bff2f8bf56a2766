import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../operator/runtime/cache/listeners.js';
import { Store } from '../../../../operator/runtime/cache/store.js';
import { ConfigMap, type LiveConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { configMap, controlledBy, live } from '../../../given.js';
import { givenStore, version } from '../given/store.js';
import { widget } from '../given/widgets.js';

const owner = live(widget('web'));

describe('news of an own write', () => {
  it('R16 is known once its answer has come, and once', async () => {
    const { store } = givenStore();
    store.told('ADDED', version('6'), '');
    const [before, during] = [store.isOwn('7'), await store.write('team/a', async () => version('7'))];
    expect([before, during?.metadata.resourceVersion, store.isOwn('7')]).toEqual([false, '7', true]);
    store.echoed('7', '');
    expect(store.isOwn('7')).toBe(false);
    store.told('DELETED', version('8'), '');
    expect(store.size).toBe(0);
  });

  it('R16 is given to the write when it was faster than the answer, which then need not be read', async () => {
    const { store } = givenStore();
    const answer = version('7');
    const asked: unknown[] = [];
    await store.write('team/a', async (known) => {
      asked.push(known('7'));
      store.told('ADDED', answer, '');
      asked.push(known('6'), known('7') === store.get('team/a'));
      return known('7');
    });
    expect(asked).toEqual([undefined, undefined, true]);
  });
});

describe('news', () => {
  it.each([
    { heard: ['>6'], at: '6', when: 'an object comes', events: [['ADDED', '6']] },
    {
      heard: ['>6', '6>7'],
      at: '7',
      when: 'it changes',
      events: [
        ['ADDED', '6'],
        ['MODIFIED', '7'],
      ],
    },
    {
      heard: ['>6', '6>'],
      at: undefined,
      when: 'it goes',
      events: [
        ['ADDED', '6'],
        ['DELETED', '7'],
      ],
    },
    {
      heard: ['>6'],
      at: '6',
      when: 'it is told twice',
      events: [
        ['ADDED', '6'],
        ['ADDED', '6'],
      ],
    },
    { heard: [], at: undefined, when: 'what is not known goes', events: [['DELETED', '6']] },
    {
      heard: ['>9', '9>10'],
      at: '10',
      when: 'versions get longer',
      events: [
        ['ADDED', '9'],
        ['MODIFIED', '10'],
      ],
    },
  ] as const)('R7 of an object is told as $heard when $when', ({ heard: expected, at, events }) => {
    const given = givenStore();
    for (const [type, resourceVersion] of events) given.store.told(type, version(resourceVersion), '');
    expect(given.heard).toEqual(expected);
    expect(given.at()).toBe(at);
  });

  it('R7 of an older object under the same name does not take the newer one away', () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('9', { uid: 'second' }), '');
    store.told('DELETED', version('8', { uid: 'first' }), '');
    expect([heard, at()]).toEqual([['>9'], '9']);
  });
});

describe('a list', () => {
  it('R11 tells what it brings first as initial, and later what changed meanwhile', () => {
    const store = new Store(ConfigMap);
    const changes: Change[] = [];
    store.listen((change) => changes.push(change));
    store.replace([version('3')], '5', '');
    store.replace([version('7')], '8', '');
    expect(changes.map(({ initial, after }) => [initial, after?.metadata.resourceVersion])).toEqual([
      [true, '3'],
      [false, '7'],
    ]);
  });

  it('R7 reports missed deletions and no unchanged objects', () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    store.replace([version('6')], '7', '');
    expect([heard, at()]).toEqual([['>6'], '6']);
    store.replace([], '8', '');
    expect([heard, at()]).toEqual([['>6', '6>'], undefined]);
  });

  it('R7 tells of an object that was deleted and made again both that it went and that it came', () => {
    const { store, heard } = givenStore();
    store.told('ADDED', version('6', { uid: 'first' }), '');
    store.replace([version('8', { uid: 'second' })], '9', '');
    expect(heard).toEqual(['>6', '6>', '>8']);
  });

  it('R7 of a server that was set back to an older state is believed all the same', () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('16'), '');
    store.replace([version('6')], '9', '');
    expect([heard, at()]).toEqual([['>16', '16>', '>6 initial'], '6']);
  });

  it('is of one namespace alone', () => {
    const { store } = givenStore();
    store.replace([live(configMap('a', { namespace: 'one' }))], '6', 'one');
    store.replace([live(configMap('a', { namespace: 'two' }))], '6', 'two');
    store.replace([], '7', 'one');
    expect([...store.keys()]).toEqual(['two/a']);
  });

  it('R8 of a kind that is not served any more takes everything away, and the next one is a first one', () => {
    const { store, heard } = givenStore();
    store.told('ADDED', version('6'), '');
    store.clear('');
    store.replace([version('7')], '8', '');
    expect(heard).toEqual(['>6', '6>', '>7 initial']);
  });
});

describe('an object of a store', () => {
  it('R9 is frozen, and without what nobody here reads', () => {
    const { store } = givenStore();
    const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', mine: '1' };
    const managedFields = [
      { manager: 'kubectl', operation: 'Apply', fieldsV1: {} },
      { manager: 'reconstruct-widget', operation: 'Update', fieldsV1: {} },
    ];
    store.told('ADDED', version('6', { annotations: lastApplied, managedFields }), '');
    const object = store.get('team/a');
    expect(object?.metadata).toMatchObject({
      annotations: { mine: '1' },
      managedFields: [{ manager: 'reconstruct-widget', operation: 'Update' }],
    });
    expect(Object.keys(object?.metadata.annotations ?? {})).toEqual(['mine']);
    expect(Object.isFrozen(object) && Object.isFrozen(object?.metadata.annotations)).toBe(true);
  });

  it('is what it was, field by field, where it is still the same', () => {
    const { store } = givenStore();
    const told = (resourceVersion: string, size: string) =>
      store.told('MODIFIED', { ...version(resourceVersion, { labels: { a: '1' } }), data: { size } } as LiveObject, '');
    told('6', '1');
    const before = store.get('team/a') as LiveConfigMap;
    told('7', '1');
    const same = store.get('team/a') as LiveConfigMap;
    told('8', '2');
    const after = store.get('team/a') as LiveConfigMap;
    expect([same.data, same.metadata.labels, after.metadata.labels]).toEqual([{ size: '1' }, { a: '1' }, { a: '1' }]);
    expect([same.data === before.data, same.metadata.labels === before.metadata.labels]).toEqual([true, true]);
    expect([same.metadata.resourceVersion, after.data, Object.isFrozen(after.data)]).toEqual([
      '7',
      { size: '2' },
      true,
    ]);
  });

  it('R34 is not controlled by a resource of another namespace, whatever its owner reference says', () => {
    const { store } = givenStore();
    const forged = configMap('a', { ...controlledBy(owner), namespace: 'stranger' });
    store.told('ADDED', live(forged, { resourceVersion: '6' }), '');
    expect(store.ownedBy(owner)).toEqual([]);
  });

  it('is what a resource controls, by name', () => {
    const { store } = givenStore();
    const names = () => store.ownedBy(owner).map(({ metadata }) => metadata.name);
    for (const name of ['b', 'a', 'c'])
      store.told('ADDED', live(configMap(name, controlledBy(owner)), { resourceVersion: '6' }), '');
    store.told('ADDED', live(configMap('stranger'), { resourceVersion: '6' }), '');
    expect(names()).toEqual(['a', 'b', 'c']);
    store.told('MODIFIED', live(configMap('b'), { resourceVersion: '7' }), ''); // given away
    store.told('DELETED', live(configMap('c', controlledBy(owner)), { resourceVersion: '8' }), '');
    expect(names()).toEqual(['a']);
    store.told('ADDED', live(configMap('d', controlledBy(owner)), { resourceVersion: '8' }), '');
    expect(names()).toEqual(['a', 'd']);
    store.told('MODIFIED', live(configMap('a', controlledBy(owner)), { resourceVersion: '9' }), '');
    expect(store.ownedBy(owner).map(({ metadata }) => metadata.resourceVersion)).toEqual(['9', '8']);
    expect(store.ownedBy(owner)).toBe(store.ownedBy(owner)); // one pass asks many times
  });

  it('is not sent to a removed listener', () => {
    const { store } = givenStore();
    const heard: Change[] = [];
    const unlisten = store.listen((change) => heard.push(change));
    unlisten();
    store.told('ADDED', version('6'), '');
    expect(heard).toEqual([]);
  });
});
