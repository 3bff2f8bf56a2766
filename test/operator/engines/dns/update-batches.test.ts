import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NamesUpdate } from '../../../../operator/dns/dns-names.js';
import { decodeMessage } from '../../../../operator/engines/dns/message.js';
import { tsigKey } from '../../../../operator/engines/dns/tsig-key.js';
import { UpdateBatches } from '../../../../operator/engines/dns/update-batches.js';
import { FakeClock } from '../../fake-clock.js';
import { GivenServer, givenKey, givenSecret, signedAnswer } from './given-server.js';

const zone = 'example.com';
const update = (name: string, values: readonly string[] = ['192.0.2.1']): NamesUpdate => ({
  changes: [{ action: 'set', name: `${name}.${zone}`, type: 'A', ttl: 30, values }],
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => update(`n${from + index}`));

let server: GivenServer;
let clock: FakeClock;
let batches: UpdateBatches;
beforeEach(async () => {
  server = await GivenServer.start();
  clock = new FakeClock();
  batches = new UpdateBatches({ clock, addresses: { lookupFor: () => lookup as LookupFunction } });
  answerWith(() => 0);
});
afterEach(() => server.stop());

/** The names that a message changes, once each. */
const namesIn = (message: Buffer): readonly string[] => [
  ...new Set(decodeMessage(message).authorities.map(({ name }) => name.replace(`.${zone}`, ''))),
];

/** @param decide the result code of a message, or undefined if its connection is lost */
function answerWith(decide: (names: readonly string[], socket: Socket) => number | undefined): void {
  server.answer = (bytes, reply, socket) => {
    const rcode = decide(namesIn(bytes), socket);
    if (rcode === undefined) return void socket.destroy();
    reply(signedAnswer({ bytes, mac: bytes.subarray(-38, -6) }, { time: Math.floor(clock.now() / 1000), rcode }));
  };
}

function send(updates: readonly NamesUpdate[], options: object = {}): Promise<void> {
  const { key = givenKey, ...caller } = options as { readonly key?: typeof givenKey };
  const at = { to: { server: '127.0.0.1', port: server.port, key }, zone };
  return batches.send(at, updates, { signal: new AbortController().signal, mayLeave: () => {}, ...caller });
}

/** What became of requests that were sent within 50 ms. */
async function settled(...requests: readonly Promise<void>[]): Promise<readonly string[]> {
  const all = Promise.allSettled(requests);
  await clock.advance(50);
  const results = (await all).map((one) => (one.status === 'fulfilled' ? 'done' : reasonOf(one.reason)));
  await clock.advance(50);
  expect(clock.waiting).toBe(0);
  return results;
}

const reasonOf = (error: { kind?: string; message: string; mayHaveEffect?: boolean }) =>
  `${error.kind}${error.mayHaveEffect ? ' with an effect' : ''}: ${error.message.replaceAll(`127.0.0.1:${server.port}`, 'SERVER')}`;

test('requests of many callers share one message', async () => {
  expect(await settled(...many(10).map((one) => send([one])))).toEqual(Array(10).fill('done'));
  expect(server.received.map(namesIn)).toEqual([many(10).map((_, index) => `n${index}`)]);
});

test('requests with another key have another message', async () => {
  const key = tsigKey({ ...givenSecret, secret: Buffer.alloc(32, 'other').toString('base64') });
  const results = await settled(send([update('a')]), send([update('b')], { key }));
  expect(results).toEqual([
    'done',
    'retryable with an effect: SERVER answered NOERROR with an invalid signature: it does not match',
  ]);
  expect(server.received.map(namesIn)).toEqual([['a'], ['b']]);
});

test('one foreign name among 500 holds up its own caller alone', async () => {
  answerWith((names) => (names.includes('n300') ? 7 : 0));
  const results = await settled(...many(500).map((one) => send([one])));
  const says = 'n300.example.com: SERVER answered YXRRSET: a name that must have no records of a type has some';
  expect(results.flatMap((result, index) => (result === 'done' ? [] : [`${index} ${result}`]))).toEqual([
    `300 retryable: ${says}`,
  ]);
  expect(server.connections).toBe(1);
  expect(server.received.length).toBeLessThan(25);
});

test('a request of which a part is refused reports these names, and that the rest has an effect', async () => {
  answerWith((names) => (names.some((name) => /^n[0-4]$/.test(name)) ? 8 : 0));
  const says = 'SERVER answered NXRRSET: a name must have records of a type, and it has none or others';
  expect(await settled(send(many(8)))).toEqual([
    `retryable with an effect: n0.example.com, n1.example.com, n2.example.com and 2 more: ${says}`,
  ]);
});

test('a name that the policy of the server does not allow holds up its own caller alone, for good', async () => {
  answerWith((names) => (names.includes('n1') ? 5 : 0));
  expect(await settled(...many(3).map((one) => send([one])))).toEqual([
    'done',
    'terminal: n1.example.com: SERVER answered REFUSED: the policy of the server must allow the request with the key k8s',
    'done',
  ]);
});

test('a refusal of the zone is not tried again for each name', async () => {
  answerWith(() => 9);
  const says = 'terminal: SERVER answered NOTAUTH: the server must be authoritative for the zone';
  expect(await settled(...many(4).map((one) => send([one])))).toEqual(Array(4).fill(says));
  expect(server.received).toHaveLength(1);
});

test('a message that is lost may have an effect and is not sent again, and others have a new connection', async () => {
  answerWith((names) => (names.includes('n500') ? undefined : 0));
  const results = await settled(send(many(500)), send(many(500, 500)), send(many(1, 1_000)));
  const lost = 'unreachable with an effect: SERVER: the server closed the connection without an answer';
  expect(results).toEqual(['done', lost, 'done']);
  expect(server.received.map((message) => namesIn(message).length)).toEqual([500, 500, 1]);
  expect(server.connections).toBe(2);
});

test('nothing has an effect where no server listens', async () => {
  server.stop();
  const results = await settled(send(many(501)), send(many(1, 501)));
  expect(results).toEqual(Array(2).fill('unreachable: SERVER: connect ECONNREFUSED SERVER'));
});

test('a caller that gave up, or must not send any more, sends nothing and holds up no other caller', async () => {
  const stop = new AbortController();
  const mayLeave = () => {
    throw new Error('not the leader');
  };
  const requests = [
    send([update('a')], { signal: stop.signal }),
    send([update('b')], { mayLeave }),
    send([update('c')]),
  ];
  stop.abort(new Error('the time is over'));
  expect(await settled(...requests)).toEqual(['undefined: the time is over', 'undefined: not the leader', 'done']);
  expect(server.received.map(namesIn)).toEqual([['c']]);
});

test('nothing is sent if all callers gave up while the server was connecting', async () => {
  const stop = new AbortController();
  const request = send([update('a')], { signal: stop.signal });
  stop.abort(new Error('the time is over'));
  expect(await settled(request)).toEqual(['undefined: the time is over']);
  expect(server.connections).toBe(0);
});

test('updates with more bytes than a message has are sent in several', async () => {
  const long = Array.from({ length: 100 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(240)}`);
  const texts = many(4).map(({ changes }) => ({
    changes: changes.map((one) => ({ ...one, type: 'TXT', values: long }) as typeof one),
  }));
  expect(await settled(...texts.map((one) => send([one])))).toEqual(Array(4).fill('done'));
  expect(server.received.map((message) => namesIn(message).length)).toEqual([2, 2]);
});

test('an invalid update is refused before anything is sent, and holds up no other update', async () => {
  const results = await settled(send([update('a..b')]), send([{ changes: [] }]), send([update('c')]));
  expect(results).toEqual([
    'terminal: name: Invalid value: "a..b.example.com": must not have an empty label',
    'terminal: updates: Required value: each must have at least one change',
    'done',
  ]);
  expect(server.received.map(namesIn)).toEqual([['c']]);
});

test('no failure contains the secret of the key', async () => {
  answerWith(() => 5);
  expect((await settled(send([update('a')]))).join()).not.toContain(givenSecret.secret);
});
