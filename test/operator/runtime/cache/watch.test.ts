import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, optional, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { configMap, live } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { somebody } from '../given/house.js';
import { failure } from '../given/scripted-cluster.js';
import { GivenWatch } from '../given/watch.js';

let given: GivenWatch;
afterEach(() => given.end());

/** A watch of a server that lists what there is, in which the ConfigMap `a` is. */
async function givenWatch(script: ConstructorParameters<typeof GivenWatch>[0] = {}): Promise<GivenWatch> {
  given = new GivenWatch(script);
  await given.memory.create(ConfigMap, configMap('a'), somebody);
  return given.start();
}

describe('a watch', () => {
  it('R5 lists, and then follows from there', async () => {
    const { asked, memory, store, watch, states } = await givenWatch();
    await watch.whenSynced;
    await memory.create(ConfigMap, configMap('b'), somebody);
    await settled();
    expect([...store.keys()]).toEqual(['team/a', 'team/b']);
    expect(asked).toEqual(['list', 'watch 101']);
    expect(states).toEqual(['synced']);
  });

  it('R5 lists in pages of 100, and shows nothing before it has them all', async () => {
    const { memory, asked, store, watch, clock } = await givenWatch({ lists: [failure(500, 'InternalError')] });
    for (let n = 0; n < 200; n++) await memory.create(ConfigMap, configMap(`b${n}`), somebody);
    expect(watch.synced).toBe(false);
    await clock.advance(800);
    expect(asked).toEqual(['list', 'list', 'list more', 'list more', 'watch 301']);
    expect(store.size).toBe(201);
  });

  it('R5 R9 R34 lists in smaller pages where those are too large to be taken in, without a failure', async () => {
    const { asked, store, warnings } = await givenWatch({ lists: [failure(200, 'AnswerTooLarge')] });
    expect(asked).toEqual(['list', 'list', 'watch 101']);
    expect([store.size, warnings]).toEqual([1, []]);
  });

  it.each([
    { does: 'goes on at once where it was', when: 'the server ends it after a while', wait: 0, step: undefined },
    { does: 'goes on where it was after 400 ms', when: 'it is refused', wait: 400, step: failure(0, 'NoAnswer') },
    {
      does: 'goes on where it was after 400 ms',
      when: 'it meets a 500',
      wait: 400,
      step: failure(500, 'InternalError'),
    },
    {
      does: 'goes on where it was after 400 ms',
      when: 'it meets a 429',
      wait: 400,
      step: failure(429, 'TooManyRequests'),
    },
    {
      does: 'goes on where it was after 7 s',
      when: 'it meets a 429 that says so',
      wait: 7_000,
      step: failure(429, 'TooManyRequests', 7_000),
    },
    {
      does: 'goes on where it was after 400 ms',
      when: 'the stream tells an error',
      wait: 400,
      step: [failure(500, 'InternalError')],
    },
    { does: 'goes on where it was after 400 ms', when: 'it ends at once without a word', wait: 400, step: [] },
  ])('R6 $does when $when, without a list', async ({ wait, step }) => {
    const { asked, clock, memory, store } = await givenWatch({ watches: ['ok', ...(step ? [step] : [])] });
    await clock.advance(2_000);
    memory.endWatches();
    await settled();
    await memory.create(ConfigMap, configMap('b'), somebody);
    if (wait > 0) {
      await clock.advance(wait - 1);
      expect(store.size).toBe(1);
      await clock.advance(1);
    }
    await settled();
    expect([...store.keys()]).toEqual(['team/a', 'team/b']);
    expect(asked.filter((one) => one === 'list')).toHaveLength(1);
    expect(new Set(asked.slice(1))).toEqual(new Set(['watch 101']));
  });

  it.each([
    { when: 'the watch is refused', step: failure(410, 'Expired') },
    { when: 'the stream tells it', step: [failure(410, 'Gone')] },
  ])('R6 lists again when the server has forgotten: $when', async ({ step }) => {
    const { asked, clock, memory, store } = await givenWatch({ watches: [step] });
    await memory.create(ConfigMap, configMap('b'), somebody);
    await clock.advance(800);
    expect(asked).toEqual(['list', 'watch 101', 'list', 'watch 102']);
    expect(store.size).toBe(2);
  });

  it('R6 continues from the last bookmark', async () => {
    const { asked, clock, memory } = await givenWatch();
    await memory.create(Service, { ...configMap('other'), kind: 'Service' }, somebody);
    memory.bookmark();
    await clock.advance(5_000);
    memory.endWatches();
    await settled();
    expect(asked).toEqual(['list', 'watch 101', 'watch 102']);
  });

  it('R6 waits longer from failure to failure, up to 30 s, and short again after a minute of health', async () => {
    const step = failure(503, 'ServiceUnavailable');
    const { clock, asked, memory, scripted } = await givenWatch({ watches: Array.from({ length: 8 }, () => step) });
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      const [attempts, began] = [asked.length, clock.monotonic()];
      while (asked.length === attempts) await clock.advance(100);
      waits.push(clock.monotonic() - began);
    }
    expect(waits).toEqual([400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000]);
    await clock.advance(60_001);
    scripted.watches.push(step);
    memory.endWatches();
    await settled();
    const attempts = asked.length;
    await clock.advance(400);
    expect(asked.length).toBe(attempts + 1);
  });

  it('R6 waits short for what went wrong only now, and long again for what had gone wrong before', async () => {
    const [refused, busy, forgotten] = [
      failure(0, 'NoAnswer'),
      failure(429, 'TooManyRequests'),
      failure(410, 'Expired'),
    ];
    const watches = [refused, refused, refused, busy, busy, forgotten, refused];
    const { clock, asked } = await givenWatch({ watches });
    const waits: number[] = [];
    for (let n = 0; n < watches.length; n++) {
      const [attempts, began] = [asked.length, clock.monotonic()];
      while (asked.length === attempts) await clock.advance(100);
      waits.push(clock.monotonic() - began);
    }
    expect(waits).toEqual([400, 800, 1_600, 400, 800, 400, 3_200]);
  });

  it('R6 reports each failure', async () => {
    const { states, warnings, clock } = await givenWatch({ watches: [failure(500, 'InternalError')] });
    await clock.advance(1);
    expect(states).toEqual(['synced', 'down']);
    expect(warnings).toEqual(['Watch failed, retrying']);
  });

  it('R7 finds a connection that is open but dead within 70 s, and goes on where it was', async () => {
    const { asked, clock } = await givenWatch({ watches: ['silence'] });
    await clock.advance(69_999);
    expect(asked).toEqual(['list', 'watch 101']);
    await clock.advance(1 + 400);
    expect(asked).toEqual(['list', 'watch 101', 'watch 101']);
  });

  it('R7 goes on at once where a connection was dead, however often it had failed before', async () => {
    const failures = Array.from({ length: 8 }, () => failure(503, 'ServiceUnavailable'));
    const { asked, clock } = await givenWatch({ watches: [...failures, 'silence', failure(410, 'Expired')] });
    await clock.advance(400 + 800 + 1_600 + 3_200 + 6_400 + 12_800 + 15_000 + 15_000);
    const attempts = asked.length;
    await clock.advance(70_000 + 400 + 800);
    expect(asked.slice(attempts)).toEqual(['watch 101', 'list', 'watch 101']);
  });

  it('R7 asks for everything again when a watch is silent twice: the server may be behind what it told', async () => {
    const { asked, clock } = await givenWatch({ watches: ['silence', 'silence'] });
    await clock.advance(2 * 70_000 + 400 + 800);
    expect(asked).toEqual(['list', 'watch 101', 'watch 101', 'list', 'watch 101']);
  });

  it('R7 does not take a quiet kind for a dead connection while bookmarks come', async () => {
    const { asked, clock, memory, watch } = await givenWatch();
    for (let n = 0; n < 5; n++) {
      await clock.advance(60_000);
      memory.bookmark();
      await settled();
      expect(watch.age).toBe(0);
    }
    expect(asked).toEqual(['list', 'watch 101']);
    await clock.advance(30_000);
    expect(watch.age).toBe(30_000);
  });

  it('R8 waits for a kind that is not served, and says so once', async () => {
    const missing = failure(404, 'NotFound');
    const { clock, watch, states, warnings, store } = await givenWatch({ lists: [missing, missing, missing] });
    await clock.advance(1_000);
    expect(watch).toMatchObject({ missing: true, synced: false });
    expect(states).toEqual(['missing']);
    expect(warnings).toHaveLength(1);
    await clock.advance(10_000);
    await watch.whenSynced;
    expect(watch).toMatchObject({ missing: false, synced: true });
    expect(store.size).toBe(1);
  });

  it('R8 asks for a kind each 3 s at the latest for two minutes, and each minute when it seems to be absent', async () => {
    const { asked, clock } = await givenWatch({ lists: Array.from({ length: 200 }, () => failure(404, 'NotFound')) });
    const asks = async (ms: number) => {
      const before = asked.length;
      await clock.advance(ms);
      return asked.length - before;
    };
    const [soon, later] = [await asks(120_000), await asks(600_000)];
    expect([soon > 40, later > 10, later < 30]).toEqual([true, true, true]);
  });

  it('R8 asks for a kind each 3 s at the latest while the server makes it ready', async () => {
    const busy = Array.from({ length: 8 }, () => failure(429, 'TooManyRequests'));
    const { clock, watch } = await givenWatch({ lists: [failure(404, 'NotFound'), ...busy] });
    await clock.advance(500 + 8 * 1_500);
    expect(watch).toMatchObject({ missing: false, synced: true });
  });

  it('R8 asks seldom for a kind that is optional from the start, for it may never be served', async () => {
    const lists = Array.from({ length: 200 }, () => failure(404, 'NotFound'));
    const { asked, clock } = await givenWatch({ lists, kind: optional(ConfigMap) });
    await clock.advance(120_000);
    expect([asked.length > 5, asked.length < 20]).toEqual([true, true]);
  });

  it('R8 clears its store when the kind is removed, and lists again when the kind returns', async () => {
    const missing = failure(404, 'NotFound');
    const { clock, memory, store } = await givenWatch({ watches: ['ok', missing] });
    await clock.advance(5_000);
    memory.endWatches();
    await settled();
    expect(store.size).toBe(0);
    await clock.advance(5_000);
    expect(store.size).toBe(1);
  });

  it('R8 forgets a kind that it may not see any more, and lists it when it may, where it bears a refusal', async () => {
    const refused = failure(403, 'Forbidden');
    const steps = { lists: ['ok' as const, refused, refused], watches: ['ok' as const, refused] };
    const { clock, memory, states, store, warnings, watch } = await givenWatch({
      ...{ ...steps, kind: optional(ConfigMap), bearsRefusal: true },
    });
    await clock.advance(5_000);
    memory.endWatches();
    await clock.advance(900);
    expect([store.size, watch.missing, states.at(-1)]).toEqual([0, true, 'missing']);
    await clock.advance(5_000);
    expect([store.size, watch.missing]).toEqual([1, false]);
    expect(warnings).toEqual([]);
  });

  it('R6 is asked to end after a random time between 5 and 10 min', async () => {
    const seen: number[] = [];
    for (const chance of [0, 0.999_999]) {
      given = new GivenWatch({ streams: true });
      given.clock.chance = chance;
      await given.start();
      await given.end();
      seen.push(...given.scripted.timeouts);
    }
    expect(seen).toEqual([300, 600]);
  });

  it.each([
    { when: 'it follows', watches: [] },
    { when: 'it waits a failure out', watches: [failure(500, 'InternalError')] },
    { when: 'nothing comes', watches: ['silence' as const] },
  ])('R15 ends when it is asked to while $when, and leaves no timer behind', async ({ watches }) => {
    const { clock, asked } = await givenWatch({ watches });
    await given.end();
    await clock.advance(100_000);
    expect(asked).toHaveLength(2);
    expect(clock.waiting).toBe(0);
  });

  it('tells an event to the store once, in order', async () => {
    const events = ['102', '103'].map((resourceVersion) => ({
      type: 'MODIFIED' as const,
      object: live(configMap('a'), { resourceVersion }),
      bytes: 100,
    }));
    const { store, asked } = await givenWatch({ watches: [events] });
    expect(store.get('team/a')?.metadata.resourceVersion).toBe('103');
    expect(asked.at(-1)).toBe('watch 103');
  });

  it('R9 keeps only the metadata of foreign objects', async () => {
    const keeps = ({ metadata }: LiveObject) => metadata.name === 'ours';
    const { memory, store } = await givenWatch({ keeps });
    for (const name of ['ours', 'theirs']) {
      await memory.create(ConfigMap, configMap(name, { data: { large: 'x' } }), somebody);
    }
    await settled();
    expect(store.get('team/ours')).toMatchObject({ data: { large: 'x' } });
    expect(Object.keys(store.get('team/theirs') ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
  });
});
