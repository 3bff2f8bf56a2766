import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from '../../../../operator/cluster/connection/connection.js';
import { renewedCredentials } from '../../../../operator/cluster/connection/renewed-credentials.js';

/** Credentials that are read when the test calls. */
function given(...answers: readonly (Credentials | Error)[]) {
  let [now, reads] = [0, 0];
  const read = async () => {
    const answer = answers[Math.min(reads++, answers.length - 1)];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer;
  };
  const credentials = renewedCredentials(read, () => now);
  return {
    at: (ms: number) => {
      now = ms;
      return credentials();
    },
    reads: () => reads,
  };
}

const first = { authorization: 'Bearer first', tls: { ca: 'CA' } };
const second = { authorization: 'Bearer second', tls: { ca: 'CA' } };
const rotated = { authorization: 'Bearer second', tls: { ca: 'ANOTHER' } };
const fault = new Error('the file is being replaced');

/** A plug-in that gives something, and then hangs for as many reads. */
function hanging(reads: number) {
  vi.useFakeTimers();
  let asked = 0;
  const come: ((credentials: Credentials) => void)[] = [];
  const read = () => {
    asked++;
    if (asked === 1) return Promise.resolve(first);
    return asked <= 1 + reads ? new Promise<Credentials>((resolve) => come.push(resolve)) : Promise.resolve(second);
  };
  const credentials = renewedCredentials(read, () => performance.now());
  return { credentials, asked: () => asked, come: () => come.forEach((resolve) => void resolve(second)) };
}

afterEach(() => void vi.useRealTimers());

describe('credentials that do not come', () => {
  it('R3 keep the old ones in use, and a request waits at most 3 s for new ones', async () => {
    const { credentials, asked } = hanging(1);
    await credentials();
    await vi.advanceTimersByTimeAsync(60_000);
    const waiting = credentials();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await waiting).toBe(first);
    expect(await credentials()).toBe(first); // at once, and by no further read
    expect(asked()).toBe(2);
  });

  it('R3 are used as soon as they do', async () => {
    const { credentials, come, asked } = hanging(1);
    await credentials();
    await vi.advanceTimersByTimeAsync(60_000);
    const waiting = credentials();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await waiting).toBe(first);
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect([await credentials(), asked()]).toEqual([second, 2]);
  });

  it('R3 are given up after a minute, and asked for again', async () => {
    const { credentials, asked } = hanging(1);
    await credentials();
    await vi.advanceTimersByTimeAsync(60_000);
    void credentials();
    await vi.advanceTimersByTimeAsync(65_000);
    expect([await credentials(), asked()]).toEqual([second, 3]);
  });

  it('R3 at the first time fail after a minute, and are asked for again', async () => {
    vi.useFakeTimers();
    let asked = 0;
    const never = new Promise<Credentials>(() => {});
    const credentials = renewedCredentials(() => (asked++ === 0 ? never : Promise.resolve(second)));
    const failing = expect(credentials()).rejects.toThrow('no credentials in 60000 ms');
    await vi.advanceTimersByTimeAsync(60_000);
    await failing;
    expect(await credentials()).toBe(second);
  });
});

describe('credentials', () => {
  it.each([
    { used: 'the first', read: 1, when: 'they are young', at: 59_999, answers: [first, second], gives: first },
    { used: 'the second', read: 2, when: 'a minute is over', at: 60_000, answers: [first, second], gives: second },
    {
      used: 'a new authority',
      read: 2,
      when: 'it was replaced',
      at: 60_000,
      answers: [first, rotated],
      gives: rotated,
    },
    { used: 'the first', read: 2, when: 'the next cannot be read', at: 60_000, answers: [first, fault], gives: first },
  ])('R3 are $used, after $read reads, when $when', async ({ read, at, answers, gives }) => {
    const { at: askedAt, reads } = given(...answers);
    await askedAt(0);
    expect(await askedAt(at)).toEqual(gives);
    expect(reads()).toBe(read);
  });

  it('R3 are read again 5 s after a read that failed', async () => {
    const { at, reads } = given(first, fault, second);
    await at(0);
    await at(60_000);
    expect([await at(64_999), reads()]).toEqual([first, 2]);
    expect([await at(65_000), reads()]).toEqual([second, 3]);
  });

  it('R3 that cannot be read at all are no credentials', async () => {
    await expect(given(fault).at(0)).rejects.toBe(fault);
  });

  it('R3 are read once for concurrent requests', async () => {
    const { at, reads } = given(first);
    await Promise.all([at(0), at(0), at(0)]);
    expect(reads()).toBe(1);
  });

  it('R3 keep their certificates, and so their connections, where those did not change', async () => {
    const { at } = given(first, structuredClone(second));
    const { tls } = await at(0);
    expect((await at(60_000)).tls).toBe(tls);
  });
});
