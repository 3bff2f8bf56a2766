import { expect, it } from 'vitest';
import type { Look } from '../../../cli/status/status-look.js';
import { printStatus, watchStatus } from '../../../cli/status/watch-status.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import type { Clock } from '../../../operator/runtime/ports/clock.js';

const down = new ApiError('connection refused', { code: 0, reason: 'NoAnswer' });

/** Looks at these states, one after another, and ends after the last. */
function given(states: readonly (string | Error)[], isTTY: boolean) {
  const stop = new AbortController();
  const texts: string[] = [];
  let time = 0;
  const after: Clock['after'] = (ms, back) => {
    time += ms;
    queueMicrotask(back);
    return () => {};
  };
  const clock = { now: () => time, after } as Clock;
  const times: number[] = [];
  const left = [...states];
  const look: Look = async (now) => {
    times.push(now);
    const state = left.shift();
    if (left.length === 0) stop.abort();
    if (state instanceof Error) throw state;
    return { lines: [`state ${state}`], json: { state }, isWrong: state === 'bad' };
  };
  const output = { isTTY, columns: 80, rows: 24, write: (text: string) => texts.push(text) };
  const watch = (format: 'text' | 'json' = 'text') => watchStatus(look, { output, clock, format }, stop.signal);
  return { watch, look, output, clock, times, text: () => texts.join('') };
}

it('is printed once without a watch', async () => {
  const { look, output, clock, text } = given(['bad'], true);
  expect(await printStatus(look, { output, clock, format: 'text' })).toBe(true);
  expect(text()).toBe('state bad\n');
});

it('is redrawn on a terminal every 2 seconds, and ends with the last state', async () => {
  const { watch, text, times } = given(['bad', 'good', 'good'], true);
  expect(await watch()).toBe(false);
  expect(times).toEqual([0, 2_000, 4_000]);
  expect(text().match(/state \w+/g)).toEqual(['state bad', 'state good']);
});

it('is printed at each change elsewhere', async () => {
  const { watch, text } = given(['good', 'good', 'bad'], false);
  expect(await watch()).toBe(true);
  expect(text()).toBe('state good\nstate bad\n');
});

it('is an object at each change as JSON, also on a terminal', async () => {
  const { watch, text } = given(['good', 'bad', 'bad'], true);
  await watch('json');
  expect(text()).toBe('{\n  "state": "good"\n}\n{\n  "state": "bad"\n}\n');
});

it('outlives an API server that does not answer, and shows that', async () => {
  const { watch, text } = given(['good', down, 'good'], true);
  expect(await watch()).toBe(false);
  expect(text()).toContain('not updated: connection refused');
});

it.each([
  { states: [down], what: 'the API server does not answer at the start' },
  { states: ['good', new Error('Widget team/a not found')], what: 'the resource is deleted' },
])('fails if $what', async ({ states }) => {
  await expect(given([...states, 'good'], true).watch()).rejects.toThrow(/connection refused|not found/);
});
