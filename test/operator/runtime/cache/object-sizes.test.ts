import { describe, expect, it } from 'vitest';
import { givenStore, version } from '../given/store.js';

describe('the weight of a cache', () => {
  it('R9 is that of its objects, however they come and go', async () => {
    const { store } = givenStore();
    const weights: number[] = [];
    const note = () => weights.push(store.bytes);
    store.told('ADDED', version('6'), '');
    store.weigh('team/a', 300);
    note();
    await store.write('team/a', async () => version('7')); // of the answer nobody knows the length
    note();
    store.told('MODIFIED', version('7'), '');
    store.weigh('team/a', 400);
    note();
    store.weigh('team/unknown', 1_000);
    note();
    store.told('DELETED', version('8'), '');
    store.weigh('team/a', 400);
    note();
    expect(weights).toEqual([300, 300, 400, 400, 0]);
  });

  it.each([
    { when: 'a relist misses it', leave: (store: Given) => store.replace([], '9', '') },
    { when: 'its kind is not served any more', leave: (store: Given) => store.clear('') },
    { when: 'we delete it', leave: (store: Given) => store.write('team/a', async () => undefined) },
  ])('R9 of an object ends when $when', async ({ leave }) => {
    const { store } = givenStore();
    store.told('ADDED', version('6'), '');
    store.weigh('team/a', 300);
    await leave(store);
    expect(store.bytes).toBe(0);
  });
});

type Given = ReturnType<typeof givenStore>['store'];
