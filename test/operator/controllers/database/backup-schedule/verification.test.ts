import { describe, expect, it } from 'vitest';
import type { DatabaseBackupResource } from '../../../../../imports/index.js';
import {
  type Interval,
  nextVerified,
} from '../../../../../operator/controllers/database/backup-schedule/verification.js';
import { givenBackup } from '../../database-backup/given-backup.js';

const complete = (name: string, result?: 'RestoreSucceeded' | 'RestoreFailed', at?: string) =>
  givenBackup(name, { status: { label: name, ...(result && at && { verified: { result, at: `${at}Z` } }) } });

describe('line 6: the backup that is verified next', () => {
  it.each<{ is: string | undefined; when: string; backups: DatabaseBackupResource[]; interval?: Interval }>([
    { is: undefined, when: 'there is none', backups: [] },
    { is: 'b', when: 'none was ever verified', backups: [complete('a'), complete('b')] },
    { is: undefined, when: 'nobody wants it', backups: [complete('a')], interval: 'Never' },
    {
      is: undefined,
      when: 'one was good this week',
      backups: [complete('a', 'RestoreSucceeded', '2026-11-16T00:00:01'), complete('b')],
    },
    {
      is: 'b',
      when: 'one was good a week ago',
      backups: [complete('a', 'RestoreSucceeded', '2026-11-15T00:00:00'), complete('b')],
    },
    {
      is: 'b',
      when: 'one was good yesterday, and that is long ago',
      backups: [complete('a', 'RestoreSucceeded', '2026-11-21T00:00:00'), complete('b')],
      interval: 'Daily',
    },
    {
      is: undefined,
      when: 'one was good this month',
      backups: [complete('a', 'RestoreSucceeded', '2026-11-01T00:00:00'), complete('b')],
      interval: 'Monthly',
    },
    {
      is: undefined,
      when: 'the newest was bad',
      backups: [complete('a'), complete('b', 'RestoreFailed', '2026-11-21T00:00:00')],
    },
    {
      is: 'b',
      when: 'the last one was bad',
      backups: [complete('a', 'RestoreFailed', '2026-11-21T00:00:00'), complete('b')],
    },
  ])('is $is when $when', ({ is, backups, interval = 'Weekly' }) => {
    const now = Date.parse('2026-11-22T00:00:00Z');
    expect(nextVerified(backups, interval, now)?.metadata.name).toBe(is);
  });
});
