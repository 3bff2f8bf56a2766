import { describe, expect, test } from 'vitest';
import type { Counters } from '../../../../../operator/controllers/algorithm/judgement/index.js';
import { getsNoRequests } from '../../../../../operator/controllers/algorithm/request-metrics/polled-metrics.js';
import type { Polled } from '../../../../../operator/runtime/controller/polls.js';

type Sources = Readonly<Record<string, Counters | 'silent'>>;

const counted = (requests: number): Counters => ({ codes: { 200: requests } });

/** What was told of the trial every 10 s, from 10 s on. */
function told(...readings: readonly Sources[]): Polled<never> {
  const answers = readings.map((sources, index) => {
    const at = (index + 1) * 10_000;
    return { value: { sides: { trial: { at, sources } }, proxies: ['a', 'b'], silent: [] }, at };
  });
  const newest = answers.at(-1);
  if (!newest) return { known: false, why: 'no answer yet', since: 0, earlier: [] };
  return { known: true, ...newest, earlier: answers.slice(0, -1) } as never;
}

describe('the version on trial', () => {
  const still = { a: counted(5), b: counted(0) };
  test.each<{ is: boolean; when: string; known: Polled<never> | undefined }>([
    { is: true, when: 'no proxy has counted more', known: told(still, still) },
    {
      is: true,
      when: 'no proxy has counted more, and its own pods are silent',
      known: told({ ...still, pod: 'silent' }, { ...still, pod: 'silent' }),
    },
    { is: true, when: 'a proxy went away, and the others count no more', known: told(still, { a: counted(5) }) },
    { is: false, when: 'a proxy has counted more', known: told(still, { ...still, b: counted(1) }) },
    { is: false, when: 'a proxy is silent', known: told(still, { ...still, b: 'silent' }) },
    { is: false, when: 'it was told once', known: told(still) },
    { is: false, when: 'there is no proxy', known: told({ pod: counted(0) }, { pod: counted(0) }) },
    { is: false, when: 'nobody answered yet', known: told() },
    { is: false, when: 'nobody is asked', known: undefined },
  ])('gets no requests any more: $is, when $when', ({ is, known }) => {
    expect(getsNoRequests(known, 0)).toBe(is);
  });

  test('is not judged by what was told before the route took its requests away', () => {
    expect(getsNoRequests(told(still, still), 15_000)).toBe(false);
  });
});
