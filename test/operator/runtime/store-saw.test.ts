import { expect, it } from 'vitest';
import { givenStore, version } from './given-store.js';

it('R16 what a read brought before the watch told of it is heard of by others all the same', () => {
  const { store, heard } = givenStore();
  store.told('ADDED', version('6'), '');
  heard.length = 0;
  store.saw('team/a', version('7'), version('6'));
  store.told('MODIFIED', version('7'), '');
  expect(heard).not.toEqual([]);
});

it('R16 what a read has shown to be gone before the watch told of it is heard of by others all the same', () => {
  const { store, heard } = givenStore();
  store.told('ADDED', version('6'), '');
  heard.length = 0;
  store.saw('team/a', undefined, store.get('team/a'));
  store.told('DELETED', version('7'), '');
  expect(heard).not.toEqual([]);
});

it('R16 what a read has shown to have lost our label is heard of by others all the same', () => {
  const { store, heard } = givenStore();
  store.told('ADDED', version('6'), '');
  heard.length = 0;
  store.sawUntold('team/a', version('7'));
  store.told('DELETED', version('7'), '');
  expect(heard).not.toEqual([]);
});
