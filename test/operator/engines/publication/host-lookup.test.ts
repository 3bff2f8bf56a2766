import { beforeEach, expect, test } from 'vitest';
import type { LookupAnswer, LookupQuestion } from '../../../../operator/dns/dns-lookup.js';
import { type HostResolver, hostLookupSource } from '../../../../operator/engines/publication/host-lookup.js';
import type { Source } from '../../../../operator/runtime/ports/external-port.js';
import { FakeClock } from '../../fake-clock.js';

type Found = Awaited<ReturnType<HostResolver['resolve4']>>;

let clock: FakeClock;
let four: () => Found;
let six: () => Found;
let asked: string[];
let ask: (host: string) => Promise<LookupAnswer>;
beforeEach(() => {
  clock = new FakeClock();
  [four, six, asked] = [() => [], () => [], []];
  const resolver: HostResolver = {
    resolve4: async (host) => {
      asked.push(host);
      return four();
    },
    resolve6: async () => six(),
  };
  const source = hostLookupSource({ clock, resolver }).source as unknown as Source<LookupQuestion, LookupAnswer>;
  ask = (host) => source({ host }, { signal: new AbortController().signal });
});

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test('a host has its addresses of both families, in one form', async () => {
  four = () => [
    { address: '192.0.2.2', ttl: 60 },
    { address: '192.0.2.1', ttl: 60 },
    { address: '192.0.2.1', ttl: 60 },
  ];
  six = () => [{ address: '2001:DB8:0::1', ttl: 60 }];
  expect(await ask('LB.example.com.')).toEqual({ ipv4: ['192.0.2.1', '192.0.2.2'], ipv6: ['2001:db8::1'] });
  expect(asked).toEqual(['lb.example.com']);
});

test.each([
  { when: 'its TTL is 60 s', ttl: 60, seconds: 60 },
  { when: 'its TTL is 0', ttl: 0, seconds: 5 },
  { when: 'its TTL is a day', ttl: 86_400, seconds: 3_600 },
])('a host is looked up again after $seconds s, where $when', async ({ ttl, seconds }) => {
  four = () => [{ address: '192.0.2.1', ttl }];
  six = () => [{ address: '2001:db8::1', ttl: ttl + 1 }];
  await ask('a');
  await clock.advance(1_000 * seconds - 1);
  await ask('a');
  expect(asked).toEqual(['a']);
  await clock.advance(1);
  await ask('a');
  expect(asked).toEqual(['a', 'a']);
});

test('many questions at one time are one lookup', async () => {
  await Promise.all([ask('a'), ask('a.'), ask('A')]);
  expect(asked).toEqual(['a']);
});

test('a name that does not exist has no addresses, and is looked up again after 5 s', async () => {
  four = failing('ENOTFOUND');
  six = failing('ENODATA');
  expect(await ask('a')).toEqual({ ipv4: [], ipv6: [] });
  await clock.advance(5_000);
  four = () => [{ address: '192.0.2.1', ttl: 60 }];
  expect(await ask('a')).toEqual({ ipv4: ['192.0.2.1'], ipv6: [] });
});

test('a lookup that fails is no answer, and the next question asks again', async () => {
  four = failing('ESERVFAIL');
  await expect(ask('a')).rejects.toThrow('the lookup of a failed: ESERVFAIL');
  four = () => [{ address: '192.0.2.1', ttl: 60 }];
  expect(await ask('a')).toEqual({ ipv4: ['192.0.2.1'], ipv6: [] });
});
