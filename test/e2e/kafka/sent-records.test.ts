import { describe, expect, test } from 'vitest';
import { SentRecords } from './sent-records.js';

/** The line of a producer for an acknowledged record. */
const success = (timestamp: number, value: number) =>
  `${JSON.stringify({ timestamp, name: 'producer_send_success', key: null, value: `${value}`, partition: 0, offset: 1 })}\n`;

const failure = (message: string) =>
  `${JSON.stringify({ timestamp: 1, name: 'producer_send_error', exception: 'class X', message })}\n`;

/** A log with a record at each time. */
function recordsAt(...times: readonly number[]): SentRecords {
  const records = new SentRecords();
  records.take(times.map(success).join(''));
  return records;
}

test('a log that arrives in parts is counted once', () => {
  const records = new SentRecords();
  const log = ['{"name":"startup_complete"}\n', success(10, 0), 'WARN a line\n', failure('late'), success(20, 1)].join(
    '',
  );
  for (const character of log) records.take(character);
  const { acknowledged, errors } = records.sent(0, 20);
  expect([...acknowledged]).toEqual(['0', '1']);
  expect(errors).toEqual({ late: 1 });
});

test('a line that another one interrupts is left out', () => {
  const records = new SentRecords();
  records.take(`{"name":"producer_send_suc${success(10, 0)}${success(20, 1)}`);
  expect([...records.sent(0, 20).acknowledged]).toEqual(['1']);
});

describe('the longest gap', () => {
  test.each([
    { gap: 0, when: 'no record was sent', times: [], since: 0, now: 100 },
    { gap: 50, when: 'one lies between two records', times: [10, 20, 70, 75], since: 0, now: 80 },
    { gap: 50, when: 'it began before the change', times: [10, 20, 70, 75], since: 30, now: 80 },
    { gap: 5, when: 'it ended before the change', times: [10, 20, 70, 75], since: 70, now: 80 },
    { gap: 925, when: 'it has not ended', times: [10, 20, 70, 75], since: 0, now: 1_000 },
    { gap: 925, when: 'nothing was acknowledged since the change', times: [10, 20, 70, 75], since: 500, now: 1_000 },
    { gap: 50, when: 'a clock went back', times: [10, 60, 20, 61], since: 0, now: 61 },
  ])('is $gap ms when $when', ({ gap, times, since, now }) => {
    expect(recordsAt(...times).sent(since, now).longestGap).toBe(gap);
  });
});
