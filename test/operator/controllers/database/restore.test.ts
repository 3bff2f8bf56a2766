import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { databaseView } from './given-view.js';
import { now } from './instances/given-instances.js';

const unready = { conditions: [{ type: 'Ready', status: 'False' }] };

describe('line 7: a restore', () => {
  test.each([
    { when: 'all that there is', restore: {}, ends: '' },
    {
      when: 'a moment',
      restore: { targetTime: '2026-11-22T12:01:00Z' },
      ends: expect.stringMatching(/commit later than 2026-11-22T12:01:00Z; .* 6 minutes .* without targetTime$/),
    },
    {
      when: 'a moment, and how far it is',
      restore: { targetTime: '2026-11-22T12:01:00Z' },
      making: { until: Date.parse('2026-11-22T11:30:00.5Z') },
      ends: expect.stringMatching(
        /^ and has reached 2026-11-22T11:30:00Z; the restore ends once .* without targetTime$/,
      ),
    },
    {
      when: 'a moment that it cannot read',
      restore: { targetTime: '2026-11-22T12:01:00Z' },
      making: { unread: 'ERROR: [028]: no way there' },
      ends: '; the archive cannot be read, and reads are retried: ERROR: [028]: no way there',
    },
  ])('to $when tells what it waits for', ({ restore, making = {}, ends }) => {
    const spec = { bootstrap: { restore: { from: { database: 'carts' }, ...restore } } };
    const report = { role: 'replica', state: 'starting', making } as const;
    const told = (status: object) =>
      assess(databaseView({ spec, status, pods: { 'orders-1': unready }, reports: { 'orders-1': report } })).conditions
        .Provisioned;
    const found = told({ timeline: undefined });
    const { message = '' } = found ?? {};
    const has = 'orders-1 is being restored';
    expect([found?.reason, message.slice(0, has.length), message.slice(has.length)]).toEqual(['Restoring', has, ends]);
    // A replica that is cloned restores nothing.
    expect(told({ timeline: 2 })?.reason).toBe('Provisioning');
  });

  test.each([
    { off: undefined, when: 'has been', targetTime: new Date(now).toISOString() },
    { off: 'within two hours', when: 'comes soon', targetTime: new Date(now + 7_199_000).toISOString() },
    { off: 'in about 3 hours', when: 'is of another time zone', targetTime: '2030-03-17T20:46:40Z' },
    { off: 'in about 3 hours', when: 'says its time zone', targetTime: '2030-03-17T15:46:40-05:00' },
    { off: 'in about 3 days', when: 'is of another day', targetTime: '2030-03-20T17:46:40Z' },
    { off: 'in about 2 years', when: 'is of another year', targetTime: '2032-03-17T17:46:40Z' },
  ])('says that its moment is still to come, $off, where that $when', ({ off, targetTime }) => {
    const spec = { bootstrap: { restore: { from: { database: 'carts' }, targetTime } } };
    const reports = { 'orders-1': { role: 'replica', state: 'starting', making: {} } } as const;
    const { message = '' } =
      assess(databaseView({ spec, pods: { 'orders-1': unready }, reports })).conditions.Provisioned ?? {};
    const said = `; targetTime ${targetTime} is in the future, ${off}; if its time zone or year is wrong, `;
    expect(message.includes('in the future')).toBe(off !== undefined);
    if (off !== undefined) expect(message).toContain(said);
    expect(message).toContain(`the restore ends once the archive has a commit later than ${targetTime}`);
  });
});
