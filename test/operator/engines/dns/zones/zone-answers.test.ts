import { beforeEach, expect, test } from 'vitest';
import type { RrsetName } from '../../../../../operator/dns/dns-names.js';
import { ZoneAnswers, type ZoneReader } from '../../../../../operator/engines/dns/zones/zone-answers.js';
import { FakeClock } from '../../../fake-clock.js';

const rrset = (label: string): RrsetName => ({ name: `${label}.example.com`, type: 'A' });

let clock: FakeClock;
let zones: ZoneAnswers;
/** The zone of the server. Each change gives it another serial number. */
let server: { serial: number; values: Record<string, string> };
/** What the server was asked for. */
let asked: string[];
beforeEach(() => {
  clock = new FakeClock();
  zones = new ZoneAnswers(clock);
  server = { serial: 1, values: {} };
  asked = [];
});

const change = (name: string, value: string) => {
  server = { serial: server.serial + 1, values: { ...server.values, [`${name}.example.com`]: value } };
};
const reader: ZoneReader = {
  serial: async () => {
    asked.push('serial');
    return server.serial;
  },
  records: async (rrsets) => {
    asked.push(...rrsets.map(({ name }) => name));
    return rrsets.map(({ name }) => ({ values: [server.values[name] ?? ''].filter((value) => value !== '') }));
  },
};
const ask = async (labels: readonly string[], by = reader, key = 'zone') =>
  (await zones.answersTo(key, labels.map(rrset), by)).map(({ values }) => values.join());
const taken = () => asked.splice(0);

test('a zone that does not change is asked for its serial number alone, once a second', async () => {
  change('a', '1');
  expect(await ask(['a', 'b'])).toEqual(['1', '']);
  expect(taken()).toEqual(['serial', 'a.example.com', 'b.example.com']);
  await clock.advance(999);
  expect(await ask(['b', 'a'])).toEqual(['', '1']);
  expect(taken()).toEqual([]);
  await clock.advance(1);
  await Promise.all(Array.from({ length: 1_000 }, () => ask(['a'])));
  expect(taken()).toEqual(['serial']);
});

test('a change by others shows after a second', async () => {
  await ask(['a', 'b']);
  change('a', '2');
  await clock.advance(1_000);
  expect(await ask(['a'])).toEqual(['2']);
  taken();
  expect(await ask(['a', 'b'])).toEqual(['2', '']);
  expect(taken()).toEqual(['b.example.com']);
});

test('a change of this process shows at once, also if a question is under way', async () => {
  await ask(['a']);
  change('a', '2');
  zones.changed('zone');
  expect(await ask(['a'])).toEqual(['2']);
  let answer = (_: number) => {};
  const late = ask(['a'], { ...reader, serial: () => new Promise((resolve) => (answer = resolve)) });
  await clock.advance(1_000);
  const before = ask(['a'], { ...reader, serial: () => new Promise((resolve) => (answer = resolve)) });
  change('a', '3');
  zones.changed('zone');
  expect(await ask(['a'])).toEqual(['3']);
  answer(1);
  await Promise.all([late, before]);
  expect(await ask(['a'])).toEqual(['3']);
});

test('an answer that was read while the zone changed does not stay', async () => {
  const slow: ZoneReader = {
    ...reader,
    records: async (rrsets) => {
      const answers = await reader.records(rrsets);
      change('a', '2');
      return answers;
    },
  };
  expect(await ask(['a'], slow)).toEqual(['']);
  await clock.advance(1_000);
  expect(await ask(['a'])).toEqual(['2']);
});

test('a server that leaves its serial number as it is shows changes within an hour', async () => {
  await ask(['a']);
  server.values['a.example.com'] = '2';
  await clock.advance(3_599_000);
  expect(await ask(['a'])).toEqual(['']);
  await clock.advance(1_000);
  expect(await ask(['a'])).toEqual(['2']);
});

test('a question whose serial number fails does not fail others', async () => {
  const failing: ZoneReader = { ...reader, serial: () => Promise.reject(new Error('gave up')) };
  const failed = ask(['a'], failing);
  const other = ask(['a']);
  await expect(failed).rejects.toThrow('gave up');
  expect(await other).toEqual(['']);
});

test('a change shows at once to whoever asks with another key, or with none', async () => {
  for (const key of ['zone', 'zone key', 'zone2']) await ask(['a'], reader, key);
  change('a', '2');
  zones.changed('zone');
  expect(await ask(['a'], reader, 'zone')).toEqual(['2']);
  expect(await ask(['a'], reader, 'zone key')).toEqual(['2']);
  expect(await ask(['a'], reader, 'zone2')).toEqual(['']);
});

test('other servers and keys have answers of their own', async () => {
  await ask(['a'], reader, 'one');
  taken();
  await ask(['a'], reader, 'other');
  expect(taken()).toEqual(['serial', 'a.example.com']);
});
