import { beforeEach, describe, expect, test } from 'vitest';
import { CallRecords } from '../../../../operator/runtime/external/call-records.js';
import type { DesiredCall } from '../../../../operator/runtime/rendering/external-call.js';
import { call, known, view } from './given-call.js';

let records: CallRecords;
beforeEach(() => {
  records = new CallRecords();
});

/** The call is sent, and ends after 1 s with order 10. */
function sent(one: DesiredCall): void {
  records.begin(one, 0);
  const ended = { at: 1_000, order: 10 };
  records.end(one, { ended, at: 1_000, random: 0, error: undefined, view: view(0, 1) });
}

describe('independent calls', () => {
  const one = call({ independent: true });
  const other = call({ name: 'other', hash: 'two', refreshes: ['seen'], independent: true });
  const answers = { found: known, seen: known };
  const at = (found: number, seen: number) =>
    view(2_000, found, {
      answers,
      asked: new Map([
        ['found', { at: 2_000, order: found }],
        ['seen', { at: 2_000, order: seen }],
      ]),
    });
  const due = (calls: readonly DesiredCall[], now = at(1, 1)) => records.decide(calls, now).due.map(({ name }) => name);

  test.each([
    { is: 'sent together', when: 'they refresh different polls', calls: [one, other], names: ['address', 'other'] },
    {
      is: 'sent one by one',
      when: 'they refresh the same poll',
      calls: [one, { ...other, refreshes: ['found', 'seen'] }],
      names: ['address'],
    },
    {
      is: 'sent one by one',
      when: 'one depends on others',
      calls: [one, { ...other, independent: false }],
      names: ['address'],
    },
  ])('R36 are $is if $when', ({ calls, names }) => {
    expect(due(calls)).toEqual(names);
    for (const each of calls.slice(0, names.length)) records.begin(each, 0);
    expect(due(calls)).toEqual([]);
  });

  test('R36 wait neither for one in progress nor for answers that are newer than its end', () => {
    records.begin(one, 0);
    expect(due([one, other])).toEqual(['other']);
    sent(one);
    expect(due([one, other], at(9, 9))).toEqual(['other']);
    expect(due([one, other], at(11, 9))).not.toContain('address'); // its effect has to show first
  });

  test('R36 wait for answers of their own polls that are newer than their last end', () => {
    sent(one);
    const changed = { ...one, hash: 'three' };
    expect(due([changed], at(9, 11))).toEqual([]);
    expect(due([changed], at(11, 9))).toEqual(['address']);
  });

  test('R36 wait for the answers after a call that is not independent', () => {
    sent(call({ name: 'whole' }));
    expect(due([other], at(9, 9))).toEqual([]);
    expect(due([other], at(9, 11))).toEqual(['other']);
  });

  test('R36 that were not sent hold up nothing', () => {
    records.begin(one, 0);
    records.begin(other, 0);
    records.withdraw(other);
    expect(records.isBusy).toBe(true);
    expect(due([one, other])).toEqual(['other']);
  });
});
