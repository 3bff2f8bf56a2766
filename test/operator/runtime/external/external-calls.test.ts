import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { CallError, type CallState, noEffectOf } from '../../../../operator/runtime/ports/external-call.js';
import type { CallFate } from '../../../../operator/testing/contract/trial/memory-port.js';
import { bound } from '../given/house.js';
import { closeAll } from '../given/oracle.js';
import { finalizer, givenRecords, kind, one, two, web } from '../given/record-operator.js';
import { conditionOf } from '../given/widgets.js';

afterEach(closeAll);

describe('a call', () => {
  test('R36 is sent once for a change, after the objects and the finalizer, and told in the status', async () => {
    const { given, service, apply, find, told, requests, events } = await givenRecords();
    const seen: string[] = [];
    service.fate = () => {
      seen.push(...given.writes);
      return {};
    };
    await apply({ address: '1', map: true });
    await given.clock.advance(600_000);
    expect(requests()).toEqual([one]);
    expect(seen).toEqual(expect.arrayContaining(['create ConfigMap team/web-map', 'apply NameRecord team/web']));
    expect((await find())?.metadata.finalizers).toEqual([finalizer]);
    expect(await told()).toBe('none');
    expect(await events()).toContain(`ExternalCallSent: Call address of dns ${one} was answered`);
  });

  test.each([
    { map: 'awaited' as const, reached: [] },
    { map: 'optional' as const, reached: [one] },
  ])(
    'R36 reaches the server $reached.length times beside an $map object that a quota refuses',
    async ({ map, reached }) => {
      const refusing = (cluster: Cluster): Cluster => ({
        ...bound(cluster),
        create: (created, object, options) => {
          if (created !== ConfigMap) return cluster.create(created, object, options);
          throw new ApiError('exceeded quota', { code: 403, reason: 'Forbidden' });
        },
      });
      const { given, apply, find, requests } = await givenRecords({ faults: refusing });
      await apply({ address: '1', map });
      await given.clock.advance(600_000);
      expect(requests()).toEqual(reached);
      const message = 'exceeded quota: raise the quota';
      expect(conditionOf(await find(), 'Ready')).toMatchObject({ status: 'False', reason: 'ApplyRejected', message });
    },
  );

  test('R36 R17 costs nothing at rest: no write and no further call', async () => {
    const { given, apply, requests } = await givenRecords();
    await apply({ address: '1', map: true });
    await given.clock.advance(60_000);
    given.memory.forgetWrites();
    await given.clock.advance(3_600_000);
    expect(given.writes).toEqual([]);
    expect(requests()).toEqual([one]);
  });

  const later = new CallError('retryable', 'too many requests', { retryAfter: 5_000, mayHaveEffect: false });
  test.each<{ when: string; fates: readonly CallFate[]; after: number; reached: number; told: string }>([
    { when: 'it is answered', fates: [], after: 5_000, reached: 1, told: 'none' },
    { when: 'its answer is lost', fates: [{ isUnanswered: true }], after: 120_000, reached: 1, told: 'none' },
    {
      when: 'it fails after its effect',
      fates: [{ isUnanswered: true, error: new CallError('retryable', 'error 500') }],
      after: 120_000,
      reached: 1,
      told: 'none',
    },
    {
      when: 'it is lost, before the effect had to show',
      fates: [{ isLost: true }],
      after: 29_000,
      reached: 0,
      told: 'unreachable: dns did not answer',
    },
    {
      when: 'it is lost, after the effect had to show',
      fates: [{ isLost: true }],
      after: 31_000,
      reached: 1,
      told: 'none',
    },
    { when: 'its effect does not show yet', fates: [{ isHidden: true }], after: 29_000, reached: 1, told: 'sent' },
    { when: 'its effect never shows', fates: [{ isHidden: true }], after: 31_000, reached: 2, told: 'none' },
    {
      when: 'the server asks for 5 s and 4 s pass',
      fates: [{ error: later }],
      after: 4_000,
      reached: 0,
      told: 'retryable: too many requests',
    },
    { when: 'the server asks for 5 s and 6 s pass', fates: [{ error: later }], after: 6_000, reached: 1, told: 'none' },
    {
      when: 'the server refuses it for good',
      fates: Array.from({ length: 9 }, () => ({ error: new CallError('terminal', 'no such zone') })),
      after: 3_600_000,
      reached: 0,
      told: 'terminal: no such zone',
    },
  ])(
    'R36 R37 reaches the server $reached times and is told as "$told" when $when',
    async ({ fates, after, reached, told: expected }) => {
      const { given, service, apply, told, requests } = await givenRecords();
      const coming = [...fates];
      service.fate = () => coming.shift() ?? {};
      await apply({ address: '1' });
      await given.clock.advance(after);
      expect(requests()).toHaveLength(reached);
      expect(await told()).toBe(expected);
    },
  );

  test.each<{ when: string; fate: CallFate; chance: number }>([
    { when: 'is answered', fate: { isHidden: true }, chance: 0 },
    { when: 'is answered', fate: { isHidden: true }, chance: 0.999 },
    { when: 'gets no answer', fate: { isHidden: true, isUnanswered: true }, chance: 0 },
    { when: 'gets no answer', fate: { isHidden: true, isUnanswered: true }, chance: 0.999 },
  ])(
    'R38 that $when without effect is repeated less and less often, and at most ten times in 15 minutes (chance $chance)',
    async ({ fate, chance }) => {
      const { given, service, apply } = await givenRecords();
      given.clock.chance = chance;
      const times: number[] = [];
      service.fate = () => {
        times.push(given.clock.monotonic());
        return fate;
      };
      await apply({ address: '1' });
      await given.clock.advance(900_000);
      const pauses = times.slice(1).map((time, number) => time - (times[number] ?? 0));
      expect(times.length).toBeLessThanOrEqual(10);
      expect(pauses[0]).toBeLessThan(31_000);
      const growing = pauses.filter((pause) => pause < 300_000);
      expect(growing.length).toBeGreaterThan(3);
      for (const [number, pause] of growing.entries()) expect(pause).toBeGreaterThan(1.4 * (growing[number - 1] ?? 0));
      for (const pause of pauses) expect(pause).toBeLessThan(302_000);
    },
  );

  test('R38 without effect stays reported while it is sent again, with its number and the time of the first', async () => {
    const states: CallState[] = [];
    const { given, service, apply, requests } = await givenRecords({ hears: (call) => states.push(call) });
    service.fate = () => ({ isHidden: true });
    await apply({ address: '1' });
    await given.clock.advance(600_000);
    const sent = states.slice(states.findIndex(({ state }) => state === 'sent'));
    expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']));
    const since = '2030-01-01T00:00:00Z';
    const told = `sent ${requests().length} times since ${since}, without effect: wanted 1, seen none`;
    const last = sent.at(-1) as CallState;
    expect(noEffectOf(last, { wanted: '1', seen: 'none' })).toBe(told);
    service.show();
    await given.clock.advance(600_000);
    expect(states.at(-1)).toEqual({ state: 'none' });
  });

  test('R38 that a server refused for good is sent again after an edit, and after another answer', async () => {
    const { given, service, apply } = await givenRecords();
    let tries = 0;
    service.fate = () => {
      tries++;
      return { error: new CallError('terminal', 'no such zone') };
    };
    await apply({ address: '1' });
    await given.clock.advance(600_000);
    expect(tries).toBe(1);
    await apply({ address: '2' });
    await given.clock.advance(600_000);
    expect(tries).toBe(2);
    service.meddle({ web: '3' });
    await given.clock.advance(600_000);
    expect(tries).toBe(3);
  });

  test('R36 is not sent while the answer is unknown', async () => {
    const { given, service, apply, told, requests } = await givenRecords();
    service.silence = 'the service is away';
    await apply({ address: '1' });
    await given.clock.advance(600_000);
    expect(requests()).toEqual([]);
    expect(await told()).toBe('the service is away');
    service.silence = undefined;
    await given.clock.advance(600_000);
    expect(requests()).toEqual([one]);
  });

  test('R36 is rendered from answers that were asked for after the last call, whatever wakes the resource', async () => {
    const { given, service, apply, requests } = await givenRecords();
    service.fate = () => {
      service.silence = 'restarting'; // the old answer stays the newest that is known until the poll fails
      return {};
    };
    await apply({ address: '1' });
    for (let edit = 0; edit < 20; edit++) {
      await given.memory.patch(kind, web, [{ op: 'add', path: '/metadata/labels', value: { edit: String(edit) } }], {
        manager: 'somebody',
      });
      await given.clock.advance(500);
    }
    expect(requests()).toEqual([one]);
  });

  test('R36 heals what others changed, once for each change', async () => {
    const { given, service, apply, requests } = await givenRecords();
    await apply({ address: '1' });
    await given.clock.advance(5_000);
    service.meddle({ web: '9' });
    await given.clock.advance(120_000);
    expect(requests()).toEqual([one, one]);
    expect(service.state).toEqual({ web: '1' });
  });

  test('R36 of an edited spec waits for the end of the one before', async () => {
    const { given, service, apply, requests } = await givenRecords();
    await apply({ address: '1' });
    await apply({ address: '2' });
    await given.clock.advance(120_000);
    expect(service.state).toEqual({ web: '2' });
    expect(requests().at(-1)).toBe(two);
    expect(new Set(requests()).size).toBe(requests().length);
  });
});

test('R36 a call is sent only if the API server has the resource as it was observed', async () => {
  let isEdited = true;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    read: async (of, ...rest) => {
      const live = await cluster.read(of, ...rest);
      if (!live || of.kind !== kind.kind || !isEdited) return live;
      return { ...live, metadata: { ...live.metadata, generation: 99 } };
    },
  });
  const { given, apply, requests } = await givenRecords({ faults });
  await apply({ address: '1' });
  await given.clock.advance(120_000);
  expect(requests()).toEqual([]);
  isEdited = false;
  await given.clock.advance(120_000);
  expect(requests()).toEqual([one]);
});
