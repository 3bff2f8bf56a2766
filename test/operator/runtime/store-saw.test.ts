import { expect, it } from 'vitest';
import type { Store } from '../../../operator/runtime/store.js';
import { givenStore, version } from './given-store.js';

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
