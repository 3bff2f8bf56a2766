import { describe, expect, it } from 'vitest';
import { retrying } from '../../../operator/cluster/retry.js';
import { FencedError } from '../../../operator/runtime/kubernetes/errors.js';
import { FakeClock } from '../fake-clock.js';
import { failure } from '../runtime/given/scripted-cluster.js';

/** Sends until the answers are used up, the last one for ever. @returns how often, and what came of it */
async function sent(
  answers: readonly unknown[],
  { idempotent = true, signal }: { idempotent?: boolean; signal?: AbortSignal } = {},
) {
  const clock = new FakeClock();
  const at: number[] = [];
  const send = async () => {
    const answer = answers[Math.min(at.push(clock.monotonic()), answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const outcome = retrying(send, { idempotent, clock, signal }).catch((error: Error) => error);
  await clock.advance(60_000);
  return { at, outcome: await outcome };
}

describe('a request', () => {
  const busy = failure(429, 'TooManyRequests');
  it.each([
    { times: 1, when: 'it succeeds', answer: 'ok', idempotent: true },
    { times: 4, when: 'no answer comes', answer: failure(0, 'NoAnswer'), idempotent: true },
    {
      times: 1,
      when: 'no answer comes, and it may have been carried out',
      answer: failure(0, 'NoAnswer'),
      idempotent: false,
    },
    { times: 4, when: 'the server fails', answer: failure(500, 'InternalError'), idempotent: true },
    {
      times: 1,
      when: 'the server fails, and it may have been carried out',
      answer: failure(500, 'InternalError'),
      idempotent: false,
    },
    { times: 4, when: 'the server turns it away', answer: busy, idempotent: false },
    {
      times: 4,
      when: 'the server is unavailable and says for how long',
      answer: failure(503, 'ServiceUnavailable', 1_000),
      idempotent: false,
    },
    {
      times: 1,
      when: 'the server is unavailable and does not say',
      answer: failure(503, 'ServiceUnavailable'),
      idempotent: false,
    },
    { times: 1, when: 'it is refused', answer: failure(422, 'Invalid'), idempotent: true },
    { times: 1, when: 'it conflicts', answer: failure(409, 'Conflict'), idempotent: true },
    {
      times: 1,
      when: 'the server asks for too much patience',
      answer: failure(429, 'TooManyRequests', 60_000),
      idempotent: true,
    },
    { times: 1, when: 'what is thrown is no answer', answer: new TypeError('x'), idempotent: true },
  ])('R4 is sent $times times when $when', async ({ times, answer, idempotent }) => {
    const { at, outcome } = await sent([answer], { idempotent });
    expect(at).toHaveLength(times);
    expect(outcome).toBe(answer);
  });

  it.each([
    {
      cause: 'the failure before, after which it may have been carried out',
      first: failure(0, 'NoAnswer'),
      isSent: true,
    },
    { cause: 'nothing where the server had turned it away', first: busy, isSent: false },
  ])(
    'R29 R16 that the term of the lease stops at its second try has for its cause $cause',
    async ({ first, isSent }) => {
      const { outcome } = await sent([first, new FencedError('the term is over')]);
      expect(outcome).toBeInstanceOf(FencedError);
      expect((outcome as Error).cause).toBe(isSent ? first : undefined);
    },
  );

  it('R4 waits as long as the server asks', async () => {
    const { at, outcome } = await sent([failure(429, 'TooManyRequests', 3_000), 'ok']);
    expect([at, outcome]).toEqual([[0, 3_000], 'ok']);
  });

  it('R4 waits longer from time to time, with jitter', async () => {
    expect((await sent([busy])).at).toEqual([0, 50, 150, 350]);
  });

  it('R2 is not sent again when it is not wanted any more', async () => {
    const aborting = new AbortController();
    const reason = new Error('not wanted any more');
    const outcome = sent([busy, 'ok'], { signal: aborting.signal });
    aborting.abort(reason);
    expect(await outcome).toEqual({ at: [0], outcome: reason });
  });
});
