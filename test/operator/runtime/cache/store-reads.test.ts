import { expect, it } from 'vitest';
import type { Store } from '../../../../operator/runtime/cache/store.js';
import { givenStore, version } from '../given/store.js';

it.each([
  { what: 'brought', read: (store: Store) => store.saw('team/a', version('7'), version('6')), told: 'MODIFIED' },
  {
    what: 'has shown to be gone',
    read: (store: Store) => store.saw('team/a', undefined, store.get('team/a')),
    told: 'DELETED',
  },
  {
    what: 'has shown to have lost our label',
    read: (store: Store) => store.sawUntold('team/a', version('7')),
    told: 'DELETED',
  },
] as const)(
  'R16 what a read $what before the watch told of it is heard of by others all the same',
  ({ read, told }) => {
    const { store, heard } = givenStore();
    store.told('ADDED', version('6'), '');
    heard.length = 0;
    read(store);
    store.told(told, version('7'), '');
    expect(heard).not.toEqual([]);
  },
);

it('R7 R16 what a read has shown to be gone does not come back by older news, and its name may be taken by another', () => {
  const { store, at } = givenStore();
  store.told('ADDED', version('6'), '');
  store.saw('team/a', undefined, store.get('team/a'));
  store.told('MODIFIED', version('7'), '');
  expect(at()).toBeUndefined();
  store.told('DELETED', version('8'), '');
  store.told('ADDED', version('9', { uid: 'another' }), '');
  expect(at()).toBe('9');
});

it('R16 news of an object that is told while a read finds that it is gone is older than that', () => {
  const { store, at } = givenStore();
  store.told('ADDED', version('6'), '');
  const before = store.get('team/a');
  store.told('MODIFIED', version('7'), '');
  store.saw('team/a', undefined, before);
  expect(at()).toBeUndefined();
});

it('R16 what took the name while a read was under way is not what the read found to be gone', () => {
  const { store, at } = givenStore();
  store.told('ADDED', version('6'), '');
  const before = store.get('team/a');
  store.told('DELETED', version('7'), '');
  store.told('ADDED', version('8', { uid: 'another' }), '');
  store.saw('team/a', undefined, before);
  expect(at()).toBe('8');
});
