import { describe, expect, it, test } from 'vitest';
import {
  keepUntilAnswered,
  percentInSteps,
  requeueIn,
  scaleSelector,
  toTwoDigits,
} from '../../../../operator/members/index.js';
import type { Polled } from '../../../../operator/runtime/index.js';
import { now } from '../given-members.js';

describe('a condition that follows from an answer', () => {
  const before = { type: 'Available', status: 'True', reason: 'Serving', message: 'It serves' };
  const found = { Available: { reason: 'Unknown', message: 'Nobody answers' } };
  const kept = (polled: Polled | undefined, conditions = [before]) =>
    keepUntilAnswered(found, polled, { status: { conditions } }).Available.reason;
  const unknown = { known: false, since: now, earlier: [] } as const;

  it('stays as it was until the first answer of this process', () => {
    expect(kept({ ...unknown, why: 'no answer yet' })).toBe('Serving');
  });

  it('is derived again when there is an answer, or a failure, or no question', () => {
    expect(kept({ known: true, value: 1, at: now, earlier: [] })).toBe('Unknown');
    expect(kept({ ...unknown, why: 'connection refused' })).toBe('Unknown');
    expect(kept(undefined)).toBe('Unknown');
  });

  it('is derived if it was never reported', () => {
    expect(kept({ ...unknown, why: 'no answer yet' }, [])).toBe('Unknown');
  });
});

test.each([
  { times: [], is: {} },
  { times: [undefined, 0, -5], is: {} },
  { times: [undefined, 3_000, 1_000, -1], is: { requeueAfter: 1_000 } },
])('looks again in $is for the times $times', ({ times, is }) => {
  expect(requeueIn(...times)).toEqual(is);
});

test('a scale selector has each label', () => {
  expect(scaleSelector({ app: 'kafka', role: 'broker' })).toBe('app=kafka,role=broker');
});

test.each([
  { value: 0, is: 0 },
  { value: 7, is: 7 },
  { value: 1_249, is: 1_200 },
  { value: 98_765, is: 99_000 },
])('$value is $is to two digits', ({ value, is }) => expect(toTwoDigits(value)).toBe(is));

test.each([
  { value: 4, is: 0 },
  { value: 94, is: 90 },
  { value: 96, is: 96 },
])('$value % is $is % in a status', ({ value, is }) => expect(percentInSteps(value)).toBe(is));
