import { expect, test } from 'vitest';
import type { DatabaseBackupResource } from '../../../../../imports/index.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';
import { factsAbout, inArchive, wanted } from './given-backups.js';

const database = givenDatabase();
const made = (creationTimestamp: string, status = inArchive('2026-11-22')) =>
  givenBackup('by-hand', { status, meta: { creationTimestamp } });
const begun = ['DatabaseBackup orders-20261121-030000'];
const missed = ['DatabaseBackup orders-20261122-030000'];

test.each<{ makes: readonly string[]; when: string; backups: readonly DatabaseBackupResource[]; now?: string }>([
  { makes: missed, when: 'there is none, and one was due', backups: [] },
  { makes: begun, when: 'there is none, and none was due', backups: [], now: '2026-11-21T04:00:00Z' },
  { makes: [], when: 'somebody has made one since', backups: [made('2026-11-22T03:00:00Z')] },
  {
    ...{ makes: missed, when: 'somebody has made one before one was due' },
    backups: [made('2026-11-21T04:00:00Z', inArchive('2026-11-21'))],
  },
  {
    ...{ makes: begun, when: 'one is left of another Database of its name', now: '2026-11-21T04:00:00Z' },
    backups: [made('2026-11-20T03:00:00Z')],
  },
  {
    ...{ makes: begun, when: 'one that somebody asked for is not made yet', now: '2026-11-21T04:00:00Z' },
    backups: [made('2026-11-21T04:00:00Z', {})],
  },
])('line 6: the schedule makes $makes where it has none, and $when', ({ makes, backups, now }) => {
  const around = now === undefined ? { backups } : { backups, now };
  const all = wanted(factsAbout(database, around)).filter((one) => one.startsWith('DatabaseBackup orders-'));
  expect(all).toEqual(makes);
});
