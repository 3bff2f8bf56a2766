import { expect, test } from 'vitest';
import { relativeTime } from '../../../../operator/runtime/kubernetes/relative-time.js';

const now = Date.parse('2030-01-01T00:00:00Z');

test.each([
  { shown: '-', time: undefined },
  { shown: 'in 0s', time: '2030-01-01T00:00:00Z' },
  { shown: 'in 2m', time: '2030-01-01T00:02:00Z' },
  { shown: 'in 1h5m', time: '2030-01-01T01:05:59Z' },
  { shown: 'in 7d23h', time: '2030-01-08T23:59:59Z' },
  { shown: 'in 8d', time: '2030-01-09T05:00:00Z' },
  { shown: 'in 1096d', time: '2033-01-01T00:00:00Z' },
  { shown: '1d ago', time: '2029-12-31T00:00:00Z' },
  { shown: '3s ago', time: '2029-12-31T23:59:57Z' },
])('$time is shown as "$shown"', ({ shown, time }) => {
  expect(relativeTime(time, now)).toBe(shown);
});
