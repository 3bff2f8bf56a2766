import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ZoneUpdate } from '../../../../operator/dns/dns-records.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { query, updateZone } from '../../../../operator/engines/dns/client.js';
import { decodeMessage } from '../../../../operator/engines/dns/message.js';
import { tsigKey } from '../../../../operator/engines/dns/tsig-key.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { FakeClock } from '../../fake-clock.js';
import { answerOf, GivenServer, givenKey, givenSecret, signedAnswer } from './given-server.js';

const update: ZoneUpdate = {
  zone: 'example.com',
  changes: [{ action: 'add', name: 'a.example.com', type: 'A', ttl: 5, values: ['192.0.2.1'] }],
};

let server: GivenServer;
let clock: FakeClock;
beforeEach(async () => {
  server = await GivenServer.start();
  clock = new FakeClock();
});
afterEach(() => server.stop());

const options = (changes: object = {}) => ({
  signal: new AbortController().signal,
  clock,
  addresses: { lookupFor: () => lookup as LookupFunction },
  ...changes,
});
const to = () => ({ server: '127.0.0.1', port: server.port });
const change = (changes: object = {}, what = update) => updateZone({ ...to(), key: givenKey }, what, options(changes));
const ask = (changes: object = {}) => query(to(), { name: 'A.example.com', type: 'A' }, options(changes));
const failure = async (result: Promise<unknown>) => {
  const error = await result.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(CallError);
  const { kind, message, mayHaveEffect } = error as CallError;
  return { kind, mayHaveEffect, message: message.replaceAll(`127.0.0.1:${server.port}`, 'SERVER') };
};
const seconds = () => Math.floor(clock.now() / 1000);
/** Answers as a server that has the key. */
const signed = (answer: Partial<Parameters<typeof signedAnswer>[1]> = {}) => {
  server.answer = (bytes, reply) => reply(signedAnswer({ bytes, mac: macIn(bytes) }, { time: seconds(), ...answer }));
};
/** Answers as a server without a key. */
const plain = (rcode: number, flags?: number) => {
  server.answer = (bytes, reply) => reply(answerOf(bytes, rcode, flags));
};
/** The signature is followed by an ID, an error and no data. */
const macIn = (bytes: Buffer) => bytes.subarray(-38, -6);

describe('an update', () => {
  test('is done where the server signs that it is', async () => {
    signed();
    await expect(change()).resolves.toBeUndefined();
    expect(server.received.map((bytes) => decodeMessage(bytes))).toMatchObject([{ opcode: 5, isResponse: false }]);
  });

  test.each([
    { rcode: 1, kind: 'terminal', says: 'SERVER answered FORMERR: the server cannot read the request' },
    { rcode: 2, kind: 'retryable', says: 'SERVER answered SERVFAIL: the server failed; see its log' },
    { rcode: 3, kind: 'terminal', says: 'SERVER answered NXDOMAIN: a name that must have records has none' },
    { rcode: 4, kind: 'terminal', says: 'SERVER answered NOTIMP: the server must support the request' },
    {
      rcode: 5,
      kind: 'terminal',
      says: 'SERVER answered REFUSED: the policy of the server must allow the request with the key k8s',
    },
    { rcode: 6, kind: 'terminal', says: 'SERVER answered YXDOMAIN: a name that must have no records has some' },
    {
      rcode: 7,
      kind: 'terminal',
      says: 'SERVER answered YXRRSET: a name that must have no records of a type has some',
    },
    {
      rcode: 8,
      kind: 'terminal',
      says: 'SERVER answered NXRRSET: a name must have records of a type, and it has none or others',
    },
    { rcode: 9, kind: 'terminal', says: 'SERVER answered NOTAUTH: the server must be authoritative for the zone' },
    { rcode: 10, kind: 'terminal', says: 'SERVER answered NOTZONE: all names must be in the zone' },
    { rcode: 15, kind: 'terminal', says: 'SERVER answered RCODE15: it is not known' },
  ])('fails with the signed result $rcode: $says', async ({ rcode, kind, says }) => {
    signed({ rcode });
    expect(await failure(change())).toEqual({ kind, message: says, mayHaveEffect: kind === 'retryable' });
  });

  test.each([
    { error: 16, rcode: 9, says: 'SERVER answered BADSIG: the secret of the key k8s must be that of the server' },
    { error: 17, rcode: 9, says: 'SERVER answered BADKEY: the server must have the key k8s with the same algorithm' },
  ])('is unauthorized where the server rejects the key: $says', async ({ error, rcode, says }) => {
    signed({ error, rcode, macLength: 0 });
    expect(await failure(change())).toEqual({ kind: 'unauthorized', message: says, mayHaveEffect: false });
  });

  test.each([
    { by: 400, where: 'ahead' },
    { by: -400, where: 'behind' },
  ])('is unauthorized where the clock of the server is $where', async ({ by, where }) => {
    const other = Buffer.alloc(6);
    other.writeUIntBE(seconds() + by, 0, 6);
    signed({ error: 18, rcode: 9, other });
    expect(await failure(change())).toEqual({
      kind: 'unauthorized',
      message: `SERVER answered BADTIME: the clock of the server is too far ${where}; synchronize the clocks`,
      mayHaveEffect: false,
    });
  });

  test.each([
    {
      when: 'the result is good and has no signature',
      answers: () => plain(0),
      is: { kind: 'retryable', mayHaveEffect: true },
      says: 'SERVER answered NOERROR without a signature: it must know the key k8s',
    },
    {
      when: 'the result is bad and has no signature',
      answers: () => plain(5),
      is: { kind: 'unauthorized', mayHaveEffect: false },
      says: 'SERVER answered REFUSED without a signature: it must know the key k8s',
    },
    {
      when: 'the signature is of another request',
      answers: () => {
        server.answer = (bytes, reply) =>
          reply(signedAnswer({ bytes, mac: Buffer.alloc(32) }, { time: seconds(), rcode: 5 }));
      },
      is: { kind: 'retryable', mayHaveEffect: true },
      says: 'SERVER answered REFUSED with an invalid signature: it does not match',
    },
    {
      when: 'the ID is of another request',
      answers: () => {
        server.answer = (bytes, reply) =>
          reply(Buffer.concat([Buffer.of(~(bytes[0] ?? 0)), answerOf(bytes, 0).subarray(1)]));
      },
      is: { kind: 'retryable', mayHaveEffect: true },
      says: 'SERVER answered with bytes that are no DNS message: it is not the answer to the request',
    },
    {
      when: 'the request comes back',
      answers: () => {
        server.answer = (bytes, reply) => reply(bytes);
      },
      is: { kind: 'retryable', mayHaveEffect: true },
      says: 'SERVER answered with bytes that are no DNS message: it is not the answer to the request',
    },
    {
      when: 'the answer is empty',
      answers: () => {
        server.answer = (_, reply) => reply(Buffer.alloc(0));
      },
      is: { kind: 'retryable', mayHaveEffect: true },
      says: 'SERVER answered with bytes that are no DNS message: the message ends within 2 bytes at 0',
    },
    {
      when: 'the connection ends within the answer',
      answers: () => {
        server.answer = (_, __, socket) => void socket.end(Buffer.of(0, 9, 1));
      },
      is: { kind: 'unreachable', mayHaveEffect: true },
      says: 'SERVER: the server closed the connection without an answer',
    },
    {
      when: 'the connection is reset',
      answers: () => {
        server.answer = (_, __, socket) => void socket.resetAndDestroy();
      },
      is: { kind: 'unreachable', mayHaveEffect: true },
      says: 'SERVER: read ECONNRESET',
    },
  ])('may have an effect or not as the answer proves, where $when', async ({ answers, is, says }) => {
    answers();
    expect(await failure(change())).toEqual({ ...is, message: says });
  });

  test('is answered by an answer in pieces', async () => {
    server.answer = (bytes, _, socket) => {
      const answer = signedAnswer({ bytes, mac: macIn(bytes) }, { time: seconds() });
      const [first, ...rest] = [answer.length >> 8, answer.length & 255, ...answer];
      socket.setNoDelay(true);
      socket.write(Buffer.of(first ?? 0), () => setImmediate(() => socket.write(Buffer.from(rest))));
    };
    await expect(change()).resolves.toBeUndefined();
  });

  test('is unreachable, and has no effect, where no server listens', async () => {
    const { port } = server;
    server.stop();
    const result = await failure(updateZone({ server: '127.0.0.1', port, key: givenKey }, update, options()));
    expect(result).toEqual({
      kind: 'unreachable',
      mayHaveEffect: false,
      message: 'SERVER: connect ECONNREFUSED SERVER',
    });
  });

  test('is unreachable where the server is silent until the deadline', async () => {
    const result = failure(change({ timeout: 500 }));
    await expect.poll(() => server.received.length).toBe(1);
    await clock.advance(500);
    expect(await result).toEqual({
      kind: 'unreachable',
      mayHaveEffect: true,
      message: 'SERVER: no answer within 500 ms',
    });
    expect(clock.waiting).toBe(0);
  });

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const result = change({ signal: stop.signal });
    server.answer = () => stop.abort(new Error('the term ended'));
    await expect(result).rejects.toThrow('the term ended');
    await expect(change({ signal: stop.signal })).rejects.toThrow('the term ended');
    expect(server.connections).toBe(1);
  });

  test('does not leave where it must not any more, which is known after the connection', async () => {
    signed();
    const mayLeave = () => {
      throw new Error('not the leader');
    };
    await expect(change({ mayLeave })).rejects.toThrow('not the leader');
    expect(server.received).toEqual([]);
  });

  test('does not connect where it is invalid', async () => {
    const invalid = { ...update, zone: 'a..b' };
    expect(await failure(change({}, invalid))).toEqual({
      kind: 'terminal',
      mayHaveEffect: false,
      message: 'zone: Invalid value: "a..b": must not have an empty label',
    });
    expect(server.connections).toBe(0);
  });

  test.each([
    { server: '127.0.0.1', port: 0, says: 'port: Invalid value: 0: must be an integer from 1 to 65535' },
    { server: '127.0.0.1', port: 65_536, says: 'port: Invalid value: 65536: must be an integer from 1 to 65535' },
    { server: '127.0.0.1', says: expect.stringMatching(/^address "127.0.0.1": must not be loopback/) },
    { server: 'ns.example.net', says: expect.stringMatching(/add ns\.example\.net to --allowed-addresses$/) },
  ])('does not connect to $server:$port', async ({ says, ...at }) => {
    const addresses = allowedAddresses(['ns.example.org']);
    expect(await failure(updateZone({ ...at, key: givenKey }, update, options({ addresses })))).toEqual({
      kind: 'terminal',
      mayHaveEffect: false,
      message: says,
    });
    expect(clock.waiting).toBe(0);
  });

  test('never sends or quotes its secret', async () => {
    const { secret } = givenSecret;
    signed({ rcode: 5 });
    const { message } = await failure(change());
    const sent = Buffer.concat(server.received).toString('latin1');
    for (const shown of [message, sent]) {
      expect(shown).not.toContain(Buffer.from(secret, 'base64').toString('latin1').slice(0, 12));
      expect(shown).not.toContain(secret.slice(0, 12));
    }
  });
});

const authoritative = 0x8400;

describe('a query', () => {
  const records = (...hex: readonly string[]) => {
    server.answer = (bytes, reply) => {
      const answer = answerOf(bytes, 0, authoritative);
      answer.writeUInt16BE(hex.length, 6);
      reply(Buffer.concat([answer, Buffer.from(hex.join(''), 'hex')]));
    };
  };
  /** The name of the question, an address, and `ttl` seconds. */
  const address = (last: string) => `c00c000100010000001e0004c00002${last}`;

  test('has the values in their order, and their TTL', async () => {
    records(address('02'), address('01'));
    expect(await ask()).toEqual({ values: ['192.0.2.1', '192.0.2.2'], ttl: 30 });
  });

  test('has an alias, whose addresses are not those of the name', async () => {
    records(
      'c00c000500010000001e00040162c00e', // b.example.com
      '0162c00e000100010000001e0004c0000201',
    );
    expect(await ask()).toEqual({ values: [], alias: 'b.example.com' });
  });

  test.each([
    { when: 'the name has no records', rcode: 3 },
    { when: 'the name has records of other types only', rcode: 0 },
  ])('has no values, where $when', async ({ rcode }) => {
    plain(rcode, authoritative);
    expect(await ask()).toEqual({ values: [] });
  });

  test.each([
    {
      rcode: 0,
      flags: 0x8000,
      kind: 'terminal',
      says: 'SERVER is not authoritative for A.example.com: query a server of its zone',
    },
    {
      rcode: 3,
      flags: 0x8000,
      kind: 'terminal',
      says: 'SERVER is not authoritative for A.example.com: query a server of its zone',
    },
    {
      rcode: 5,
      flags: authoritative,
      kind: 'terminal',
      says: 'SERVER answered REFUSED: the policy of the server must allow the request',
    },
    { rcode: 2, flags: 0x8000, kind: 'retryable', says: 'SERVER answered SERVFAIL: the server failed; see its log' },
    {
      rcode: 0,
      flags: authoritative | 0x0200,
      kind: 'retryable',
      says: 'SERVER answered with bytes that are no DNS message: it is not the answer to the request',
    },
  ])('fails with $rcode and the flags $flags: $says', async ({ rcode, flags, kind, says }) => {
    plain(rcode, flags);
    expect(await failure(ask())).toMatchObject({ kind, message: says });
  });

  test('fails where a record has no value of its type', async () => {
    records('c00c000100010000001e0003c00002');
    expect(await failure(ask())).toMatchObject({
      kind: 'retryable',
      message: 'SERVER answered with bytes that are no DNS message: the message ends within 4 bytes at 43',
    });
  });

  test('believes only signed answers if it has a key', async () => {
    const signedAsk = () => query({ ...to(), key: tsigKey(givenSecret) }, { name: 'a', type: 'TXT' }, options());
    plain(0, authoritative);
    expect(await failure(signedAsk())).toMatchObject({
      message: 'SERVER answered NOERROR without a signature: it must know the key k8s',
    });
  });
});
