import { describe, expect, it } from 'vitest';
import type { DatabaseBackupStatus } from '../../../../imports/index.js';
import { databaseBackup } from '../../../../operator/controllers/database-backup/index.js';
import { statusTables } from '../../../../operator/controllers/database-backup/status-tables.js';
import { givenBackup } from './given-backup.js';

const now = Date.parse('2026-11-22T12:00:00Z');

const rowsOf = (status: DatabaseBackupStatus) => {
  const resource = givenBackup('orders-1', { status, spec: { type: 'Full', origin: 'Schedule' } });
  return statusTables({ resource: resource as never, objects: [], now }).map(({ rows }) => rows[0]);
};

describe('the tables of a DatabaseBackup', () => {
  it('are shown', () => {
    expect(databaseBackup.tables).toBe(statusTables);
  });

  it('show its size, duration and verification, and its place in the archive', () => {
    const [backup, place] = rowsOf({
      ...{ state: 'Verified', sizeBytes: 3 * 2 ** 30, storedBytes: 2 ** 29, label: '20261122-030000F' },
      ...{ started: '2026-11-22T03:00:00Z', finished: '2026-11-22T03:12:00Z', expires: '2026-11-29T03:00:00Z' },
      verified: { result: 'RestoreSucceeded', at: '2026-11-22T04:00:00Z' },
      archive: { volume: { claimName: 'orders-repo' } },
      ...{ instance: 'orders-2', version: '15.20', position: { timeline: 4 }, attempts: 2 },
      ...{ tried: '2026-11-22T02:30:00Z', firstRecoverable: '2026-11-15T03:12:00Z' },
    });
    expect(backup).toEqual({
      ...{ DATABASE: 'orders', TYPE: 'Full', ORIGIN: 'Schedule', STATE: 'Verified', SIZE: '3 GiB', STORED: '512 MiB' },
      ...{ DURATION: '12m', FINISHED: '8h48m ago', VERIFIED: 'RestoreSucceeded (8h ago)', EXPIRES: 'in 6d15h' },
    });
    expect(place).toEqual({
      ...{ BACKUP: '20261122-030000F', LOCATION: 'PVC orders-repo', INSTANCE: 'orders-2', VERSION: '15.20' },
      ...{ TIMELINE: 4, 'RESTORABLE SINCE': '7d8h ago', ATTEMPTS: 2, 'LAST FAILURE': '9h30m ago' },
    });
  });

  it.each<{ duration: string | undefined; when: string; status: DatabaseBackupStatus }>([
    {
      duration: '30m',
      when: 'it has run for half an hour',
      status: { state: 'Running', started: '2026-11-22T11:30:00Z' },
    },
    {
      duration: '0s',
      when: 'the clock of the user is behind',
      status: { state: 'Running', started: '2026-11-22T12:00:05Z' },
    },
    {
      duration: undefined,
      when: 'it failed before it finished',
      status: { state: 'Failed', started: '2026-11-22T11:30:00Z' },
    },
    { duration: undefined, when: 'it has not started', status: { state: 'Pending' } },
  ])('show a duration of $duration if $when', ({ status, duration }) => {
    expect(rowsOf(status)[0]?.['DURATION']).toBe(duration);
  });

  it('show the bucket', () => {
    const s3 = { endpoint: 's3.example.com', bucket: 'backups', path: '/shop/orders', region: 'eu' };
    const archive = { s3: { ...s3, uriStyle: 'Path' as const, secretRef: { name: 'key' } } };
    expect(rowsOf({ archive })[1]?.['LOCATION']).toBe('s3://backups/shop/orders on s3.example.com');
  });

  it('show a failed verification without a time', () => {
    expect(rowsOf({ verified: { result: 'RestoreFailed' } })[0]?.['VERIFIED']).toBe('RestoreFailed');
  });

  it('show no size and no place of a backup that has not started', () => {
    const [backup, place] = rowsOf({ state: 'Pending' });
    expect(backup).toMatchObject({ SIZE: undefined, STORED: undefined, VERIFIED: undefined, FINISHED: '-' });
    expect(place).toMatchObject({ BACKUP: undefined, LOCATION: undefined, TIMELINE: undefined });
  });
});
