import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { ManifestMeta } from '../../../../operator/runtime/kubernetes/object.js';
import type { WatchEvent } from '../../../../operator/runtime/ports/cluster.js';
import { configMap, live } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { somebody } from '../given/house.js';
import { failure, type Step } from '../given/scripted-cluster.js';
import { GivenWatch } from '../given/watch.js';

let given: GivenWatch;
afterEach(() => given.end());

const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, metadata: Partial<ManifestMeta>): WatchEvent => ({
  type,
  object: live(configMap(name), metadata),
  bytes: 100,
});
const synced = (resourceVersion: string): WatchEvent => ({ type: 'SYNCED', resourceVersion });
const bookmark = (resourceVersion: string): WatchEvent => ({ type: 'BOOKMARK', resourceVersion });
const added = event('ADDED', 'x', { resourceVersion: '7' });

class Pause {
  end = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/** A watch of a server that streams what there is, in which the ConfigMap `a` is. */
async function open(...watches: readonly Step[]): Promise<GivenWatch> {
  given = new GivenWatch({ streams: true, watches });
  await given.memory.create(ConfigMap, configMap('a'), somebody);
  return given.start();
}

describe('a watch of a server that streams what there is', () => {
  it('R5 asks once for what there is and for what comes, and follows a bookmark from then on', async () => {
    const { asked, clock, memory, store, states, watch } = await open();
    await watch.whenSynced;
    await memory.create(ConfigMap, configMap('b'), somebody);
    await settled();
    expect([...store.keys()]).toEqual(['team/a', 'team/b']);
    memory.bookmark();
    await clock.advance(5_000);
    memory.endWatches();
    await settled();
    expect(asked).toEqual(['stream', 'watch 102']);
    expect(states).toEqual(['synced']);
  });

  it('R5 shows nothing before it has heard all of it, and tells it as what was there before', async () => {
    const pause = new Pause();
    const { heard, store, watch } = await open([added, pause.over, synced('9'), 'silence']);
    expect([watch.synced, store.size]).toEqual([false, 0]);
    pause.end();
    await settled();
    expect([watch.synced, store.size]).toEqual([true, 1]);
    expect(heard).toEqual(['>7 initial']);
  });

  it.each([
    { when: 'is changed', told: [event('MODIFIED', 'x', { resourceVersion: '8' })], left: ['8'] },
    { when: 'is deleted', told: [event('DELETED', 'x', { resourceVersion: '8' })], left: [] },
    {
      when: 'is made again',
      told: [event('DELETED', 'x', {}), event('ADDED', 'x', { uid: 'b', resourceVersion: '9' })],
      left: ['9'],
    },
  ])('R5 takes an object as it is at the end when it $when meanwhile', async ({ told, left }) => {
    const { store } = await open([added, ...told, synced('200'), 'silence']);
    expect([...store.keys()].map((key) => store.get(key)?.metadata.resourceVersion)).toEqual(left);
  });

  it('R9 counts the bytes of what it keeps, from the first news of an object to the last', async () => {
    const more = event('ADDED', 'y', { resourceVersion: '9' });
    const end = event('DELETED', 'x', { resourceVersion: '11' });
    const changed = { ...event('MODIFIED', 'y', { resourceVersion: '10' }), bytes: 5_000 };
    const pauses = [new Pause(), new Pause(), new Pause()] as const;
    const [first, second, third] = pauses;
    const told = [added, more, synced('9'), first.over, changed, second.over, end, third.over];
    const { store } = await open(told);
    const sizes = [store.bytes];
    for (const pause of pauses) {
      pause.end();
      await settled();
      sizes.push(store.bytes);
    }
    expect(sizes.slice(0, 3)).toEqual([200, 5_100, 5_000]);
  });

  it('R9 counts of what is not ours no more than it keeps', async () => {
    given = new GivenWatch({ streams: true, keeps: ({ metadata }) => metadata.name === 'ours' });
    for (const name of ['ours', 'theirs']) {
      await given.memory.create(ConfigMap, configMap(name, { data: { large: 'x'.repeat(1_000) } }), somebody);
    }
    const { store } = await given.start();
    expect(store.bytes).toBeGreaterThan(1_000);
    expect(store.bytes).toBeLessThan(2_000);
  });

  it('R7 finds out at a new stream what was deleted while it was away', async () => {
    const { clock, heard, memory, store } = await open('ok', failure(410, 'Expired'));
    const a = await memory.read(ConfigMap, { namespace: 'team', name: 'a' });
    await clock.advance(5_000);
    memory.endWatches();
    await settled();
    await memory.remove(ConfigMap, { namespace: 'team', name: 'a' }, { uid: a?.metadata.uid ?? '' });
    await memory.create(ConfigMap, configMap('b'), somebody);
    await clock.advance(1_000);
    expect([...store.keys()]).toEqual(['team/b']);
    expect(heard).toEqual(['>101 initial', '101>', '>103']);
    expect(given.asked).toEqual(['stream', 'watch 101', 'stream']);
  });

  it.each([
    { asks: ['stream', 'stream'], when: 'it is busy', step: failure(429, 'TooManyRequests') },
    { asks: ['stream', 'stream'], when: 'it fails', step: failure(500, 'InternalError') },
    { asks: ['stream', 'stream'], when: 'it is away', step: failure(0, 'NoAnswer') },
    { asks: ['stream', 'stream'], when: 'it breaks off', step: [added, failure(0, 'NoAnswer')] },
    { asks: ['stream', 'stream'], when: 'it has forgotten', step: [added, failure(410, 'Expired')] },
    { asks: ['stream', 'stream'], when: 'the kind is not served', step: failure(404, 'NotFound') },
    { asks: ['stream', 'list', 'watch 101'], when: 'it does not know how', step: failure(422, 'Invalid') },
    { asks: ['stream', 'list', 'watch 101'], when: 'it cannot make sense of it', step: failure(400, 'BadRequest') },
    { asks: ['stream', 'list', 'watch 101'], when: 'it does not allow it', step: failure(403, 'Forbidden') },
    { asks: ['stream', 'list', 'watch 101'], when: 'it ends before it has told all', step: [added] },
  ])('R5 asks for $asks when $when', async ({ asks, step }) => {
    const { clock, store } = await open(step);
    await clock.advance(1_000);
    expect(given.asked).toEqual(asks);
    expect([...store.keys()]).toEqual(['team/a']);
  });

  it('R5 asks at once for a list when it is refused, without a complaint', async () => {
    const { asked, warnings } = await open(failure(422, 'Invalid'));
    expect([asked, warnings]).toEqual([['stream', 'list', 'watch 101'], []]);
  });

  it('R5 remembers that it cannot', async () => {
    const { clock, memory } = await open(failure(422, 'Invalid'), 'ok', failure(410, 'Expired'));
    await clock.advance(5_000);
    memory.endWatches();
    await clock.advance(1_000);
    expect(given.asked).toEqual(['stream', 'list', 'watch 101', 'watch 101', 'list', 'watch 101']);
  });

  it('R5 finds out within 70 s that one streams no end, whatever bookmarks it sends', async () => {
    const pause = new Pause();
    const { clock } = await open([added, pause.over, bookmark('50'), 'silence']);
    await clock.advance(40_000);
    pause.end();
    await clock.advance(29_999);
    expect(given.asked).toEqual(['stream']);
    await clock.advance(1 + 400);
    expect(given.asked).toEqual(['stream', 'list', 'watch 101']);
  });
});
