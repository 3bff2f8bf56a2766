import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueIn, dueText } from '../../../../../operator/controllers/database/backup-schedule/due-names.js';
import { lastDue, nextDue } from '../../../../../operator/schedule/schedule.js';

const at = (text: string) => Date.parse(`${text}Z`);
const text = (ms: number | undefined) => ms && new Date(ms).toISOString().slice(0, 16);

describe('line 6: the last time at which something was due', () => {
  it.each<{ is: string | undefined; when: string; schedule: string; since: string; now: string }>([
    {
      is: undefined,
      when: 'it is not due yet',
      schedule: '0 3 * * *',
      since: '2026-11-21T03:00',
      now: '2026-11-22T02:59',
    },
    {
      is: '2026-11-22T03:00',
      when: 'it is due now',
      schedule: '0 3 * * *',
      since: '2026-11-21T03:00',
      now: '2026-11-22T03:00',
    },
    { is: undefined, when: 'that was done', schedule: '0 3 * * *', since: '2026-11-22T03:00', now: '2026-11-22T03:00' },
    {
      is: '2026-11-22T03:00',
      when: 'days were missed',
      schedule: '0 3 * * *',
      since: '2026-11-02T03:00',
      now: '2026-11-22T13:00',
    },
    {
      is: '2026-11-22T12:45',
      when: 'it is each quarter',
      schedule: '*/15 * * * *',
      since: '2026-11-22T12:30',
      now: '2026-11-22T12:59',
    },
    {
      is: '2026-11-16T00:00',
      when: 'it is by name of the day',
      schedule: '0 0 * * MON',
      since: '2026-11-01T00:00',
      now: '2026-11-22T13:00',
    },
    {
      is: '2026-11-22T00:00',
      when: 'Sunday is 7',
      schedule: '0 0 * * 7',
      since: '2026-11-20T00:00',
      now: '2026-11-22T13:00',
    },
    {
      is: '2026-11-20T00:00',
      when: 'the day of the month or that of the week comes',
      schedule: '0 0 20 * MON',
      since: '2026-11-17T00:00',
      now: '2026-11-21T13:00',
    },
    {
      is: '2026-03-29T02:30',
      when: 'clocks are put forward somewhere',
      schedule: '30 2 * * *',
      since: '2026-03-28T02:30',
      now: '2026-03-29T12:00',
    },
    {
      is: undefined,
      when: 'it never comes',
      schedule: '0 0 30 2 *',
      since: '2020-01-01T00:00',
      now: '2026-11-22T13:00',
    },
    {
      ...{ is: undefined, when: 'it is no schedule', schedule: '0 5-3 * * *' },
      ...{ since: '2026-11-21T03:00', now: '2026-11-22T13:00' },
    },
  ])('is $is when $when', ({ is, schedule, since, now }) => {
    expect(text(lastDue(schedule, { since: at(since), now: at(now) }))).toBe(is);
  });

  const minutes = fc.integer({ min: 0, max: 59 });
  const hours = fc.integer({ min: 0, max: 23 });
  const moments = fc.integer({ min: at('2020-01-01T00:00'), max: at('2030-01-01T00:00') });

  it('is after what was done and not after now, and nothing is due between it and now', () => {
    fc.assert(
      fc.property(
        minutes,
        hours,
        moments,
        fc.integer({ min: 0, max: 10 * 86_400_000 }),
        (minute, hour, since, later) => {
          const schedule = `${minute} ${hour} * * *`;
          const now = since + later;
          const due = lastDue(schedule, { since, now });
          const next = nextDue(schedule, due ?? since) ?? Number.NaN;
          if (due === undefined) return next > now;
          return due > since && due <= now && next > now && lastDue(schedule, { since: due, now }) === undefined;
        },
      ),
    );
  });

  it('is in the name of its backup', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const due = Math.floor(moment / 1000) * 1000;
        return dueIn(`orders-${dueText(due)}`) === due;
      }),
    );
    expect(dueIn('by-hand')).toBeUndefined();
    expect(dueIn('orders-20261399-000000')).toBeUndefined();
  });
});
