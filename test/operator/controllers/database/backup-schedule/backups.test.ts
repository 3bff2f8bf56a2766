import { describe, expect, it, test } from 'vitest';
import type { DatabaseResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/backup-schedule/assess.js';
import { metrics } from '../../../../../operator/controllers/database/backup-schedule/metrics.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';
import { type Around, factsAbout, inArchive, said, scheduled, wanted } from './given-backups.js';

const place = ['ConfigMap orders-repo', 'PersistentVolumeClaim orders-repo', 'Pod orders-repo'];
const good = { result: 'RestoreSucceeded' as const, at: '2026-11-21T04:00:00Z' };
const bad = { result: 'RestoreFailed' as const, at: '2026-11-21T04:00:00Z', message: 'invalid checksum' };
const verified = scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }), {
  'reconstruct.dev/verify': 'true',
});
const kept = 'DatabaseBackup orders-20261121-030000 verify';
const going = { creationTimestamp: '2026-11-01T00:00:00Z', deletionTimestamp: '2026-11-22T01:00:00Z' };
const noPrimary = givenDatabase({}, { status: {} });

describe('line 6: the backups of a Database', () => {
  it.each<{ are: string[]; say: string[]; when: string; database?: DatabaseResource; around?: Around }>([
    {
      when: 'it has a primary and no backup yet: one at once',
      are: ['DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp FirstBackupRunning', 'Verified Pending'],
    },
    { when: 'it has no primary yet', database: noPrimary, are: [], say: ['BackedUp Pending', 'Verified Pending'] },
    {
      when: 'the last one was not long ago',
      around: { backups: [verified], now: '2026-11-22T02:59:59Z' },
      ...{ are: [kept], say: ['BackedUp OnSchedule', 'Verified RestoreSucceeded'] },
    },
    {
      when: 'one is due',
      around: { backups: [verified], now: '2026-11-22T03:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp OnSchedule', 'Verified RestoreSucceeded'],
    },
    {
      when: 'ten were missed: one',
      around: { backups: [verified], now: '2026-12-01T12:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261201-030000'],
      say: ['BackedUp Overdue', 'Verified RestoreSucceeded'],
    },
    {
      when: 'one is due and another one is still being made',
      around: { backups: [verified, scheduled('20261122-030000', { state: 'Running' })], now: '2026-11-23T12:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp Overdue', 'Verified RestoreSucceeded'],
    },
    {
      when: 'the last one failed',
      around: { backups: [verified, scheduled('20261122-030000', { state: 'Failed', problem: 'no space' })] },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp Failed', 'Verified RestoreSucceeded'],
    },
    {
      when: 'the first one is made: it is verified',
      around: { backups: [scheduled('20261122-030000', inArchive('2026-11-22'))] },
      are: ['DatabaseBackup orders-20261122-030000 verify'],
      say: ['BackedUp OnSchedule', 'Verified Pending'],
    },
    {
      when: 'one is bad, and a later one is made',
      around: {
        backups: [
          scheduled('20261121-030000', inArchive('2026-11-21', { verified: bad })),
          scheduled('20261122-030000', inArchive('2026-11-22')),
        ],
      },
      are: ['DatabaseBackup orders-20261121-030000', 'DatabaseBackup orders-20261122-030000 verify'],
      say: ['BackedUp OnSchedule', 'Verified RestoreFailed'],
    },
    {
      when: 'one has left the archive',
      around: {
        backups: [scheduled('20261120-030000', { label: 'F', state: 'Expired' }), verified],
        now: '2026-11-22T00:00:00Z',
      },
      ...{ are: [kept], say: ['BackedUp OnSchedule', 'Verified RestoreSucceeded'] },
    },
    {
      when: 'a person made one',
      around: { backups: [givenBackup('by-hand', { status: inArchive('2026-11-22') })] },
      are: [],
      say: ['BackedUp OnSchedule', 'Verified Pending'],
    },
    {
      when: 'another Database has one',
      around: { backups: [givenBackup('a', { spec: { database: 'carts' }, status: inArchive('2026-11-22') })] },
      are: ['DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp FirstBackupRunning', 'Verified Pending'],
    },
    {
      when: 'the claim of the archive was made anew: the first one of it at once, whatever was in the one before',
      around: { backups: [verified], archive: { creationTimestamp: '2026-11-22T11:59:00Z' } },
      are: [kept, 'DatabaseBackup orders-20261122-115900'],
      say: ['BackedUp FirstBackupRunning', 'Verified Pending'],
    },
    {
      when: 'the claim was made anew, and had one that was not looked at: it cannot be restored',
      around: {
        backups: [scheduled('20261121-030000', inArchive('2026-11-21'))],
        archive: { creationTimestamp: '2026-11-22T11:59:00Z' },
      },
      are: ['DatabaseBackup orders-20261121-030000', 'DatabaseBackup orders-20261122-115900'],
      say: ['BackedUp FirstBackupRunning', 'Verified Pending'],
    },
    {
      when: 'there is no claim of the archive: none, until there is a place for it',
      around: { backups: [verified], archive: undefined },
      are: [kept],
      say: ['BackedUp FirstBackupRunning', 'Verified Pending'],
    },
    {
      when: 'the claim of the archive is being deleted',
      around: { backups: [verified], archive: going, now: '2026-11-22T02:00:00Z' },
      ...{ are: [kept], say: ['BackedUp ArchiveTerminating', 'Verified RestoreSucceeded'] },
    },
  ])('are $are, when $when', ({ are, say, database = givenDatabase(), around = {} }) => {
    const facts = factsAbout(database, around);
    expect(wanted(facts)).toEqual([...are, ...place].sort());
    expect(said(facts)).toEqual(say);
  });

  test('say how what is in a claim that is being deleted can be kept, and how a new one is made', () => {
    const told = (archive: Around['archive']) =>
      assess(factsAbout(givenDatabase(), { archive }) as never).conditions.BackedUp?.message;
    expect(told(going)).toBe(
      'PVC orders-repo is being deleted, and all backups are lost once the Pod orders-repo stops; to keep them, run kubectl patch pv pvc-archive -p \'{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}\'; then delete that Pod, so that the operator recreates the Pod, the PVC and a backup',
    );
  });

  test('have a place of their own only where that is a volume', () => {
    const s3 = { endpoint: 's3.example.com', bucket: 'backups', secretRef: { name: 'bucket' } };
    const database = givenDatabase({ backup: { target: { s3 } } }, { status: {} });
    expect(wanted(factsAbout(database))).toEqual(['ConfigMap orders-repo']);
  });

  test('keep the three that failed last', () => {
    const failed = ['17', '18', '19', '20', '21'].map((day) => scheduled(`202611${day}-030000`, { state: 'Failed' }));
    const left = wanted(factsAbout(givenDatabase(), { backups: failed, now: '2026-11-22T00:00:00Z' }));
    expect(left.filter((one) => one.startsWith('DatabaseBackup'))).toEqual(
      ['19', '20', '21'].map((day) => `DatabaseBackup orders-202611${day}-030000`),
    );
  });

  test('are looked at again when the next one is due, and within the hour', () => {
    const at = (now: string) => assess(factsAbout(givenDatabase(), { backups: [verified], now }) as never).requeueAfter;
    expect(at('2026-11-22T02:59:00Z')).toBe(60_000);
    expect(at('2026-11-22T12:00:00Z')).toBe(3_600_000);
  });

  test('say nothing of themselves where there are none: an empty part of a status would be refused', () => {
    expect(assess(factsAbout(givenDatabase()) as never).status).toEqual({});
  });

  test('say how old and how good they are', () => {
    const later = scheduled('20261122-030000', inArchive('2026-11-22', { firstRecoverable: '2026-11-15T03:00:09Z' }));
    const { status } = assess(factsAbout(givenDatabase(), { backups: [later, verified] }) as never);
    const backup = {
      last: '2026-11-22T03:00:09Z',
      lastVerified: '2026-11-21T03:00:09Z',
      firstRecoverable: '2026-11-15T03:00:09Z',
    };
    expect(status).toEqual({ backup });
    const told = Object.values(metrics).map(({ valueFrom }) => valueFrom(givenDatabase({}, { status: { backup } })));
    expect(told).toEqual([Date.parse(backup.last) / 1000, Date.parse(backup.lastVerified) / 1000]);
    expect(Object.values(metrics).map(({ valueFrom }) => valueFrom(givenDatabase()))).toEqual([undefined, undefined]);
  });
});
