import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../operator/runtime/cache/store.js';
import { givenStore, givenWrite, version } from '../given/store.js';

describe('a write of our own', () => {
  it('R16 is seen by the next read, and causes nothing, when its echo comes after the answer', async () => {
    const { store, heard, at } = givenStore();
    await store.write('team/a', async () => version('6'));
    expect(at()).toBe('6');
    store.told('ADDED', version('6'), '');
    expect(heard).toEqual([]);
  });

  it('R16 and the next one cause nothing when their echoes come after both answers', async () => {
    const { store, heard } = givenStore();
    await store.write('team/a', async () => version('6'));
    await store.write('team/a', async () => version('7'));
    store.told('ADDED', version('6'), '');
    store.told('MODIFIED', version('7'), '');
    expect(heard).toEqual([]);
  });

  it('R16 causes nothing when its echo comes before the answer', async () => {
    const { store, heard, at } = givenStore();
    const write = givenWrite(store);
    store.told('ADDED', version('6'), '');
    await write.answers(version('6'));
    expect([heard, at()]).toEqual([[], '6']);
  });

  it.each([
    { when: 'before our own', order: ['6', '7'], own: '7' },
    { when: 'after our own', order: ['6', '7'], own: '6' },
  ])("R16 does not hide somebody else's $when while the answer is awaited", async ({ order, own }) => {
    const { store, heard, at } = givenStore();
    const write = givenWrite(store);
    for (const one of order) store.told('MODIFIED', version(one), '');
    expect(heard).toEqual([]); // nobody knows yet whose it is
    await write.answers(version(own));
    expect(heard).toHaveLength(1);
    expect(at()).toBe('7');
  });

  it("R16 does not hide somebody else's that was before it and is told after the answer", async () => {
    const { store, heard, at } = givenStore();
    await store.write('team/a', async () => version('7'));
    store.told('MODIFIED', version('6'), ''); // in what was answered, but nothing was decided on it
    expect([heard, at()]).toEqual([['7>7'], '7']);
    store.told('MODIFIED', version('7'), '');
    expect(heard).toEqual(['7>7']);
  });

  it("R16 does not hide somebody else's before it of which a list tells together with it", async () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    const write = givenWrite(store);
    store.replace([version('9')], '9', '');
    await write.answers(version('9'));
    expect([heard, at()]).toEqual([['>6', '6>9'], '9']);
  });

  it('R16 that fails lets everything be heard that came meanwhile', async () => {
    const { store, heard } = givenStore();
    const write = givenWrite(store);
    store.told('ADDED', version('6'), '');
    await expect(write.fails(new Error('no answer'))).rejects.toThrow('no answer');
    expect(heard).toEqual(['>6']);
  });

  it('R16 whose answer is old news does not bring back what was deleted since', async () => {
    const { store, heard, at } = givenStore();
    const write = givenWrite(store);
    store.told('ADDED', version('6'), '');
    store.told('DELETED', version('7'), '');
    await write.answers(version('6'));
    expect([heard, at()]).toEqual([['6>'], undefined]);
  });

  it('R16 of what was made, and had gone again before a list that came before the answer, is told as gone', async () => {
    const { store, heard, at } = givenStore();
    const write = givenWrite(store);
    store.replace([], '8', '');
    await write.answers(version('6'));
    expect([heard, at()]).toEqual([['6>'], undefined]);
  });

  it('R16 of what had gone and was made again by somebody else before the answer is told as gone', async () => {
    const { store, heard, at } = givenStore();
    const write = givenWrite(store);
    store.replace([version('8', { uid: 'of-another' })], '8', '');
    await write.answers(version('6'));
    expect([heard, at()]).toEqual([['>8', '6>'], '8']);
  });

  it('R16 that changed nothing is no write', async () => {
    const { store, heard } = givenStore();
    store.told('ADDED', version('6'), '');
    await store.write('team/a', async () => version('6'));
    store.told('MODIFIED', version('7'), '');
    expect(heard).toEqual(['>6', '6>7']);
  });

  it('R16 that is older than a relist is settled by it', async () => {
    const { store, heard, at } = givenStore();
    await store.write('team/a', async () => version('6'));
    store.replace([version('8')], '9', '');
    expect([heard, at()]).toEqual([['6>8'], '8']);
  });

  it('R16 that a relist does not know yet stays', async () => {
    const { store, heard, at } = givenStore();
    await store.write('team/a', async () => version('8'));
    store.replace([], '7', '');
    expect([heard, at()]).toEqual([[], '8']);
  });
});

describe('a deletion of our own', () => {
  it.each([
    { when: 'after the answer', early: false },
    { when: 'before the answer', early: true },
  ])('R16 causes nothing when its echo comes $when', async ({ early }) => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    const write = givenWrite(store);
    if (early) store.told('DELETED', version('7'), '');
    await write.answers(undefined);
    expect(at()).toBeUndefined();
    if (!early) store.told('DELETED', version('7'), '');
    expect(heard).toEqual(['>6']);
  });

  it.each([
    { when: 'a list that is older', brings: (store: Store) => store.replace([version('7')], '8', '') },
    { when: 'an event that is older', brings: (store: Store) => store.told('MODIFIED', version('7'), '') },
  ])('R16 is not undone by $when', async ({ brings }) => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    await store.write('team/a', async () => undefined);
    brings(store);
    expect([heard, at()]).toEqual([['>6'], undefined]);
    store.told('DELETED', version('9'), '');
    store.told('ADDED', version('10', { uid: 'another' }), '');
    expect([heard, at()]).toEqual([['>6', '>10'], '10']);
  });

  it('R7 R16 is believed of a server that was set back to before it', async () => {
    const { store, at } = givenStore();
    store.told('ADDED', version('16'), '');
    await store.write('team/a', async () => undefined);
    store.replace([version('6')], '9', '');
    expect(at()).toBe('6');
  });

  it("R7 R16 is not taken for somebody else's of the same version on a server that was set back", async () => {
    const { store, heard } = givenStore();
    await store.write('team/a', async () => version('16'));
    store.replace([], '4', '');
    store.told('ADDED', version('16'), '');
    expect(heard).toEqual(['16>', '>16']);
  });

  it('R16 does not remove a newer object of the same name', async () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6', { uid: 'first' }), '');
    const write = givenWrite(store);
    store.told('DELETED', version('7', { uid: 'first' }), '');
    store.told('ADDED', version('8', { uid: 'second' }), '');
    await write.answers(undefined);
    expect([heard, at()]).toEqual([['>6', '>8'], '8']);
  });

  it('whose echo a relist swallows is told: what others wrote just before it is in it', async () => {
    const { store, heard } = givenStore();
    store.told('ADDED', version('6'), '');
    await store.write('team/a', async () => version('8'));
    heard.length = 0;
    store.replace([version('8')], '9', '');
    expect(heard).toEqual(['8>8']);
  });
});

describe('our label, which somebody took off', () => {
  it('R16 and a write has given back before the watch told of it, is there', async () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    await store.write('team/a', async () => version('8'));
    heard.length = 0;
    store.told('DELETED', version('7'), '');
    store.echoed('8', '');
    expect([heard, at()]).toEqual([['8>8'], '8']);
    store.told('DELETED', version('9'), '');
    expect([heard, at()]).toEqual([['8>8', '8>'], undefined]);
  });

  it('R16 is off for a read too, and older news does not put it back', () => {
    const { store, heard, at } = givenStore();
    store.told('ADDED', version('6'), '');
    store.sawUntold('team/a', version('9'));
    expect(at()).toBeUndefined();
    store.told('MODIFIED', version('7'), '');
    store.replace([version('8')], '8', '');
    store.told('DELETED', version('9'), '');
    expect([heard, at()]).toEqual([['>6', '6>'], undefined]);
    store.told('ADDED', version('10'), '');
    expect([heard, at()]).toEqual([['>6', '6>', '>10'], '10']);
  });

  it.each([
    { when: 'a bookmark', tells: (store: Store) => store.reached('9', '') },
    { when: 'a list', tells: (store: Store) => store.replace([], '9', '') },
  ])('R16 is asked for no more once $when has come to what was read', ({ tells }) => {
    const { store, at } = givenStore();
    store.sawUntold('team/a', version('9'));
    tells(store);
    store.replace([version('9')], '10', '');
    expect(at()).toBe('9');
  });

  it('R16 is still off where the watch of another namespace has come so far', () => {
    const { store, at } = givenStore();
    store.sawUntold('team/a', version('9'));
    store.reached('9', 'tea');
    store.told('MODIFIED', version('7'), 'team');
    expect(at()).toBeUndefined();
  });

  it('R16 and what was read is older than what is known, changes nothing', () => {
    const { store, at } = givenStore();
    store.told('ADDED', version('9'), '');
    store.sawUntold('team/a', version('8'));
    expect(at()).toBe('9');
    store.told('MODIFIED', version('10'), '');
    expect(at()).toBe('10');
  });

  it('R7 R16 is believed of a server that was set back to before it', () => {
    const { store, at } = givenStore();
    store.sawUntold('team/a', version('19'));
    store.replace([version('3')], '4', '');
    expect(at()).toBe('3');
  });
});

it.each([
  { is: '6', when: 'it is news', tells: () => {} },
  { is: undefined, when: 'it was told meanwhile, and then its deletion', tells: deleted },
])('R16 what a read brings is $is when $when', ({ is, tells }) => {
  const { store, at } = givenStore();
  tells(store);
  store.saw('team/a', version('6'), undefined);
  expect(at()).toBe(is);
});

function deleted(store: Store): void {
  store.told('ADDED', version('6'), '');
  store.told('DELETED', version('7'), '');
}
