import { afterEach, describe, expect, test } from 'vitest';
import type { CallIntent } from '../../../../operator/runtime/external/call-intents.js';
import type { Loose } from '../../../given.js';
import type { GivenOperator } from '../given/operator.js';
import { closeAll } from '../given/oracle.js';
import { givenRecords, kind, one, web } from '../given/record-operator.js';

afterEach(closeAll);

describe('after a restart', () => {
  test('R37 a call whose result the dead process did not learn is observed first, and not sent again', async () => {
    const first = await givenRecords();
    first.service.fate = () => ({ isHidden: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    expect(first.requests()).toEqual([one]);
    const { service } = first;
    service.fate = () => ({});
    const next = await givenRecords({ service, memory: first.given.memory });
    await next.given.clock.advance(20_000);
    service.show();
    await next.given.clock.advance(600_000);
    expect(next.requests()).toEqual([one]);
  });

  test('R37 it is sent again once its effect had to show', async () => {
    const first = await givenRecords();
    first.service.fate = () => ({ isLost: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    first.service.fate = () => ({});
    const next = await givenRecords({ service: first.service, memory: first.given.memory });
    await next.given.clock.advance(29_000);
    expect(next.requests()).toEqual([]);
    await next.given.clock.advance(10_000);
    expect(next.requests()).toEqual([one]);
  });

  test('R37 the intent of an irreversible call is in the status before it is sent, and gone after its effect', async () => {
    const { given, service, apply, find } = await givenRecords({ call: { irreversible: true } });
    const intents: Promise<unknown>[] = [];
    service.fate = () => {
      intents.push(find().then((found) => found?.['status']?.externalCalls));
      return {};
    };
    await apply({ address: '1' });
    await given.clock.advance(60_000);
    expect(await Promise.all(intents)).toEqual([
      [
        {
          name: 'address',
          hash: expect.any(String),
          time: expect.any(String),
          count: 1,
          firstTime: expect.any(String),
        },
      ],
    ]);
    expect((await find())?.['status'].externalCalls).toEqual([]);
  });

  test('R37 R38 an irreversible call without effect is counted on, and not sent more often', async () => {
    const irreversible = { call: { irreversible: true } };
    const first = await givenRecords(irreversible);
    const { service } = first;
    const times: number[] = [];
    let passed = 0;
    service.fate = () => {
      times.push(passed);
      return { isHidden: true };
    };
    const advance = async (given: GivenOperator, seconds: number) => {
      for (let second = 0; second < seconds; second++, passed++) await given.clock.advance(1_000);
    };
    const intents = async () => (await first.find())?.['status'].externalCalls as readonly CallIntent[];
    await first.apply({ address: '1' });
    await advance(first.given, 250);
    expect(times.length).toBe(4);
    expect(await intents()).toMatchObject([{ count: 4, firstTime: '2030-01-01T00:00:00Z' }]);
    await first.given.close();
    const next = await givenRecords({ ...irreversible, service, memory: first.given.memory, startsAt: passed * 1_000 });
    await advance(next.given, 650);
    expect(times.length).toBe(6);
    const pauses = times.slice(1).map((time, number) => time - (times[number] ?? 0));
    for (const [number, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(pauses[number - 1] ?? 0);
    expect(await intents()).toMatchObject([{ count: 6, firstTime: '2030-01-01T00:00:00Z' }]);
  });

  test.each<{ has: string; entry: object }>([
    { has: 'no number', entry: {} },
    { has: 'no time', entry: { time: undefined } },
    { has: 'a number that others wrote', entry: { count: 'many', firstTime: 'yesterday' } },
    { has: 'a time in the future', entry: { time: '2040-01-01T00:00:00Z' } },
  ])('R37 the intent of another version with $has counts as sent once', async ({ entry }) => {
    const irreversible = { call: { irreversible: true } };
    const first = await givenRecords(irreversible);
    first.service.fate = () => ({ isLost: true });
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    const { name, hash, time } = ((await first.find()) as Loose)['status'].externalCalls[0];
    const value = [{ name, hash, time, ...entry }];
    const { memory } = first.given;
    await memory.patch(kind, web, [{ op: 'add', path: '/status/externalCalls', value }], {
      manager: 'somebody',
      subresource: 'status',
    });
    first.service.fate = () => ({});
    const next = await givenRecords({ ...irreversible, service: first.service, memory });
    await next.given.clock.advance(29_000);
    expect(next.requests()).toEqual([]);
    await next.given.clock.advance(10_000);
    expect(next.requests()).toEqual([one]);
  });

  test('R37 an irreversible call without an intent needs no wait, and one with an intent waits', async () => {
    const first = await givenRecords({ call: { irreversible: true } });
    first.service.silence = 'away';
    await first.apply({ address: '1' });
    await first.given.clock.advance(1_000);
    await first.given.close();
    const { service } = first;
    const { memory } = first.given;
    service.silence = undefined;
    let tries = 0;
    service.fate = () => {
      tries++;
      return { isLost: tries === 1 };
    };
    const next = await givenRecords({ call: { irreversible: true }, service, memory });
    await next.given.clock.advance(5_000);
    expect(tries).toBe(1);
    await next.given.close();
    const last = await givenRecords({ call: { irreversible: true }, service, memory });
    await last.given.clock.advance(25_000);
    expect(tries).toBe(1);
    await last.given.clock.advance(60_000);
    expect(tries).toBe(2);
  });
});
