import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CallPort, type CallResult } from '../../../../operator/runtime/external/call-port.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import type { Performer } from '../../../../operator/runtime/ports/external-port.js';
import { FakeClock } from '../../fake-clock.js';
import { leakWarnings } from '../given/leak-warnings.js';

let clock: FakeClock;
let ending: AbortController;
beforeEach(() => {
  clock = new FakeClock();
  ending = new AbortController();
});
afterEach(() => ending.abort());

const portOf = (perform: Performer['perform'], limits: Omit<Performer, 'perform'> = {}) =>
  new CallPort('dns', { perform, callsPerSecond: Number.POSITIVE_INFINITY, ...limits }, clock);

function sending(
  port: CallPort,
  { timeout = 10_000, mayLeave = () => {}, request = 'request' } = {},
): Promise<CallResult | undefined> {
  return port.send({
    request,
    timeout,
    signal: ending.signal,
    prepare: async () => {},
    withSecret: (use) => use(undefined),
    mayLeave,
  });
}

test('a call may send many requests at once with its signal', async () => {
  const given: AbortSignal[] = [];
  await sending(portOf(async (_, { signal }) => void given.push(signal)));
  expect(given.length).toBe(1);
  for (const signal of given) expect(await leakWarnings(signal)).toEqual([]);
});

const never = () => new Promise(() => {});
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

describe('the result of a call', () => {
  test.each<{ when: string; throws: unknown; outcome: string; mayHaveEffect: boolean }>([
    {
      when: 'the server wants another try',
      throws: new CallError('retryable', 'busy'),
      outcome: 'retryable',
      mayHaveEffect: true,
    },
    {
      when: 'the server refuses it for good',
      throws: new CallError('terminal', 'no'),
      outcome: 'terminal',
      mayHaveEffect: false,
    },
    {
      when: 'the credentials are not valid',
      throws: new CallError('unauthorized', 'who'),
      outcome: 'unauthorized',
      mayHaveEffect: false,
    },
    { when: 'the connection was reset', throws: reset, outcome: 'unreachable', mayHaveEffect: true },
    { when: 'no server listens', throws: refused, outcome: 'unreachable', mayHaveEffect: false },
    { when: 'something else is thrown', throws: new Error('a bug'), outcome: 'retryable', mayHaveEffect: true },
  ])('R38 is $outcome when $when', async ({ throws, outcome, mayHaveEffect }) => {
    const result = await sending(portOf(() => Promise.reject(throws)));
    expect(result).toMatchObject({ outcome, error: { mayHaveEffect } });
  });

  test('R38 is a timeout after its deadline, and its signal aborts', async () => {
    let aborted: AbortSignal | undefined;
    const port = portOf((_, { signal }) => {
      aborted = signal;
      return never();
    });
    const result = sending(port, { timeout: 2_000 });
    await clock.advance(1_999);
    expect(aborted?.aborted).toBe(false);
    await clock.advance(1);
    expect(await result).toMatchObject({ outcome: 'timeout', error: { message: 'no answer within 2000 ms' } });
    expect(aborted?.aborted).toBe(true);
  });

  test('R36 is none if the term has ended when the call has its turn', async () => {
    let calls = 0;
    const port = portOf(async () => calls++);
    const mayLeave = () => {
      throw new Error('the term is over');
    };
    await expect(sending(port, { mayLeave })).rejects.toThrow('the term is over');
    expect(calls).toBe(0);
  });
});

describe('a port', () => {
  test('R38 has a limited number of calls in progress', async () => {
    let calls = 0;
    const port = portOf(
      () => {
        calls++;
        return never();
      },
      { concurrency: 2 },
    );
    for (let n = 0; n < 5; n++) void sending(port);
    await clock.advance(9_000);
    expect(calls).toBe(2);
    await clock.advance(1_000);
    expect(calls).toBe(4);
  });

  test('R38 starts a limited number of calls in a second', async () => {
    const at: number[] = [];
    const port = portOf(async () => at.push(clock.monotonic()), { callsPerSecond: 2, concurrency: 8 });
    for (let n = 0; n < 4; n++) void sending(port);
    await clock.advance(5_000);
    expect(at).toEqual([0, 500, 1000, 1500]);
  });

  test('R38 that never answers is left alone for 30 s, tried by one call, and used again when it answers', async () => {
    let answers = false;
    const port = portOf(async () => {
      if (!answers) throw refused;
    });
    for (let n = 0; n < 4; n++) await sending(port);
    expect(port.unreachable('request')).toBeUndefined();
    await sending(port);
    const since = clock.now();
    expect(port.unreachable('request')).toEqual({ why: 'fetch failed', since, retryIn: 30_000 });
    await clock.advance(30_000);
    expect(port.unreachable('request')).toBeUndefined();
    await sending(port);
    expect(port.unreachable('request')?.since).toBe(since);
    await clock.advance(30_000);
    answers = true;
    const trial = sending(port);
    expect(port.unreachable('request')).toBeDefined();
    await trial;
    expect(port.unreachable('request')).toBeUndefined();
  });

  test('R38 with many servers holds back only the calls of the one that never answers', async () => {
    const perform = async (request: unknown) => {
      if (request === 'dead') throw refused;
    };
    const port = portOf(perform as never, { serverOf: (request: never) => String(request) });
    for (let n = 0; n < 5; n++) {
      await sending(port, { request: 'dead' });
      await sending(port, { request: 'alive' });
    }
    expect(port.unreachable('dead')).toMatchObject({ why: 'fetch failed' });
    expect(port.unreachable('alive')).toBeUndefined();
    await clock.advance(30_000);
    const trial = sending(port, { request: 'dead' });
    expect(port.unreachable('dead')).toBeDefined();
    expect(port.unreachable('alive')).toBeUndefined();
    await trial;
  });

  test('R38 forgets the oldest of more than a thousand servers that never answer', async () => {
    const port = portOf(() => Promise.reject(refused), { serverOf: (request: never) => String(request) });
    for (let n = 0; n < 5; n++) await sending(port, { request: 'first' });
    expect(port.unreachable('first')).toBeDefined();
    for (let n = 0; n < 1_024; n++) await sending(port, { request: `other-${n}` });
    expect(port.unreachable('first')).toBeUndefined();
  });
});
