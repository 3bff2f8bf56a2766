import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../operator/runtime/cache/store.js';
import { givenStore, givenWrite, version } from '../given/store.js';

type Write = ReturnType<typeof givenWrite>;

interface Row {
  /** What a reader of the source finds it by. */
  readonly like: string;
  readonly when: string;
  /** Changes that were heard of, as `before>after`. */
  readonly heard: readonly string[];
  /** The version in the cache in the end. */
  readonly at: string | undefined;
  /** From an object of version 5, in the cache. */
  readonly act: (store: Store, begin: () => Write) => Promise<unknown>;
}

const rows: readonly Row[] = [
  {
    like: 'ConsistentClient "write then read"',
    when: 'the watch has told nothing yet',
    heard: [],
    at: '6',
    act: async (_, begin) => begin().answers(version('6')),
  },
  {
    like: 'ReadOwnUpdatesIT',
    when: 'the watch tells it later',
    heard: [],
    at: '6',
    act: async (store, begin) => {
      await begin().answers(version('6'));
      store.told('MODIFIED', version('6'), '');
    },
  },
  {
    like: 'ExternalUpdateDuringOwnUpdateIT, SpecChangeDuringStatusPatchIT',
    when: 'somebody writes after it, and both are told before the answer',
    heard: ['6>7'],
    at: '7',
    act: async (store, begin) => {
      const write = begin();
      store.told('MODIFIED', version('6'), '');
      store.told('MODIFIED', version('7'), '');
      await write.answers(version('6'));
    },
  },
  {
    like: 'ExternalSecondaryUpdateIT',
    when: 'somebody writes before it, and is told before the answer',
    heard: ['5>6'],
    at: '7',
    act: async (store, begin) => {
      const write = begin();
      store.told('MODIFIED', version('6'), '');
      await write.answers(version('7'));
      store.told('MODIFIED', version('7'), '');
    },
  },
  {
    like: 'DeletionDuringStatusUpdateIT, rapidDeletion',
    when: 'somebody deletes it before the answer',
    heard: ['6>'],
    at: undefined,
    act: async (store, begin) => {
      const write = begin();
      store.told('MODIFIED', version('6'), '');
      store.told('DELETED', version('7'), '');
      await write.answers(version('6'));
    },
  },
  {
    like: 'OnRelistFilterIT ownSecondaryWriteIsFilteredWithoutRelist',
    when: 'its echo is told twice',
    heard: [],
    at: '6',
    act: async (store, begin) => {
      await begin().answers(version('6'));
      store.told('MODIFIED', version('6'), '');
      store.told('MODIFIED', version('6'), '');
    },
  },
  {
    like: 'OnRelistFilterIT ownSecondaryWriteIsPropagatedWhenRelistWrapsTheUpdate',
    when: 'a list from after it comes after the answer, in place of the echo',
    heard: ['6>6'],
    at: '6',
    act: async (store, begin) => {
      await begin().answers(version('6'));
      store.replace([version('6')], '8', '');
    },
  },
  {
    like: 'OnRelistFilterIT ownSecondaryWriteIsFilteredWhenRelistCompletesBeforeTheUpdate',
    when: 'a list from before it comes before it is sent',
    heard: [],
    at: '6',
    act: async (store, begin) => {
      store.replace([version('5')], '5', '');
      await begin().answers(version('6'));
      store.told('MODIFIED', version('6'), '');
    },
  },
  {
    like: 'OnRelistFilterIT ownSecondaryWriteIsPropagatedWhenRelistStartsDuringTheUpdate',
    when: 'a list shows somebody else’s while the answer is awaited',
    heard: ['5>7'],
    at: '7',
    act: async (store, begin) => {
      const write = begin();
      store.replace([version('7')], '8', '');
      await write.answers(version('6'));
    },
  },
  {
    like: 'removalOfGhostResources',
    when: 'a list from after it does not show it any more',
    heard: ['6>'],
    at: undefined,
    act: async (store, begin) => {
      await begin().answers(version('6'));
      store.replace([], '9', '');
    },
  },
  {
    like: 'StatusPatchCacheIT: a status never goes back',
    when: 'news of before it comes after the answer',
    heard: ['7>7'],
    at: '7',
    act: async (store, begin) => {
      await begin().answers(version('7'));
      store.told('MODIFIED', version('6'), '');
    },
  },
  {
    like: 'kopf test_future_consistency',
    when: 'the watch never tells it, only how far it has come, and then somebody writes',
    heard: ['6>9'],
    at: '9',
    act: async (store, begin) => {
      await begin().answers(version('6'));
      store.reached('8', '');
      store.told('MODIFIED', version('9'), '');
    },
  },
];

describe('R16 a write of our own is seen at once, and what others do is never taken for it', () => {
  test.each(rows.map((row) => [`${row.like}: ${row.when}`, row] as const))('%s', async (_, { heard, at, act }) => {
    const given = givenStore();
    given.store.told('ADDED', version('5'), '');
    given.heard.length = 0;
    await act(given.store, () => givenWrite(given.store));
    expect([given.heard, given.at()]).toEqual([heard, at]);
  });
});
