import { describe, expect, it } from 'vitest';
import { InitialList } from '../../../../operator/runtime/cache/initial-list.js';
import { isAbridged } from '../../../../operator/runtime/cache/received-object.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { givenStore, version } from '../given/store.js';

const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
const managedFields = [{ manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:data': {} } }];

function filled(object: LiveObject) {
  const { store } = givenStore();
  const arriving = new InitialList();
  arriving.add(object, 100);
  arriving.fill(store, '9', '');
  return store;
}

describe('everything there is, as it arrives', () => {
  it('is kept without managed fields', () => {
    const object = version('6', { managedFields });
    const { store } = givenStore();
    const kept: LiveObject[] = [];
    store.replace = (items) => void kept.push(...items);
    const arriving = new InitialList();
    arriving.add(object, 100);
    arriving.fill(store, '9', '');
    expect(kept.map(({ metadata }) => metadata)).toEqual([expect.not.objectContaining({ managedFields })]);
  });

  it('is kept with its weight, and of what is left out of it is known that it is', () => {
    expect(filled(version('6')).bytes).toBe(100);
    expect(isAbridged(filled(version('6')).get('team/a') as LiveObject)).toBe(false);
    expect(isAbridged(filled(version('6', { annotations: lastApplied })).get('team/a') as LiveObject)).toBe(true);
  });

  it('omits objects that were deleted since', () => {
    const { store } = givenStore();
    const arriving = new InitialList();
    arriving.add(version('6'), 100);
    arriving.remove(version('7'));
    arriving.fill(store, '9', '');
    expect([store.size, store.bytes, store.isServed]).toEqual([0, 0, true]);
  });
});
