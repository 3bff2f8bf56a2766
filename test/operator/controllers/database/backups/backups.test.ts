import { describe, expect, it, test } from 'vitest';
import type { DatabaseResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/backups/assess.js';
import { figures } from '../../../../../operator/controllers/database/backups/figures.js';
import { leaves } from '../../../../../operator/controllers/database/backups/leaves.js';
import { givenBackup, givenDatabase } from '../../backup/given-backup.js';
import { type Around, factsAbout, inArchive, said, scheduled, wanted } from './given-backups.js';

const place = ['ConfigMap orders-repo', 'PersistentVolumeClaim orders-repo', 'Pod orders-repo'];
const good = { result: 'Good' as const, at: '2026-11-21T04:00:00Z' };
const closed = { verified: good, closed: '2026-11-22T11:58:00Z' };
const bad = { result: 'Bad' as const, at: '2026-11-21T04:00:00Z', message: 'invalid checksum' };
const verified = scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }), {
  'reconstruct.dev/verify': 'true',
});
const kept = 'DatabaseBackup orders-20261121-030000 verify';
const noPrimary = givenDatabase({}, { status: {} });

describe('line 6: the backups of a Database', () => {
  it.each<{ are: string[]; say: string[]; when: string; database?: DatabaseResource; around?: Around }>([
    {
      when: 'it has a primary and no backup yet: one at once',
      are: ['DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp First', 'Verified Waiting'],
    },
    { when: 'it has no primary yet', database: noPrimary, are: [], say: ['BackedUp Waiting', 'Verified Waiting'] },
    {
      when: 'the last one was not long ago',
      around: { backups: [verified], now: '2026-11-22T02:59:59Z' },
      ...{ are: [kept], say: ['BackedUp Current', 'Verified Good'] },
    },
    {
      when: 'one is due',
      around: { backups: [verified], now: '2026-11-22T03:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp Current', 'Verified Good'],
    },
    {
      when: 'ten were missed: one',
      around: { backups: [verified], now: '2026-12-01T12:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261201-030000'],
      say: ['BackedUp Overdue', 'Verified Good'],
    },
    {
      when: 'one is due and another one is still being made',
      around: { backups: [verified, scheduled('20261122-030000', { state: 'Running' })], now: '2026-11-23T12:00:00Z' },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp Overdue', 'Verified Good'],
    },
    {
      when: 'the last one failed',
      around: { backups: [verified, scheduled('20261122-030000', { state: 'Failed', problem: 'no space' })] },
      are: [kept, 'DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp Failed', 'Verified Good'],
    },
    {
      when: 'the first one is made: it is verified',
      around: { backups: [scheduled('20261122-030000', inArchive('2026-11-22'))] },
      are: ['DatabaseBackup orders-20261122-030000 verify'],
      say: ['BackedUp Current', 'Verified Waiting'],
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
      say: ['BackedUp Current', 'Verified Bad'],
    },
    {
      when: 'one has left the archive',
      around: {
        backups: [scheduled('20261120-030000', { label: 'F', state: 'Expired' }), verified],
        now: '2026-11-22T00:00:00Z',
      },
      ...{ are: [kept], say: ['BackedUp Current', 'Verified Good'] },
    },
    {
      when: 'a person made one',
      around: { backups: [givenBackup('by-hand', { status: inArchive('2026-11-22') })] },
      are: [],
      say: ['BackedUp Current', 'Verified Waiting'],
    },
    {
      when: 'another Database has one',
      around: { backups: [givenBackup('a', { spec: { database: 'carts' }, status: inArchive('2026-11-22') })] },
      are: ['DatabaseBackup orders-20261122-030000'],
      say: ['BackedUp First', 'Verified Waiting'],
    },
  ])('are $are, when $when', ({ are, say, database = givenDatabase(), around = {} }) => {
    const facts = factsAbout(database, around);
    expect(wanted(facts)).toEqual([...are, ...place].sort());
    expect(said(facts)).toEqual(say);
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
    const at = (now: string) => assess(factsAbout(givenDatabase(), { backups: [verified], now }) as never).recheckAfter;
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
    const told = Object.values(figures).map(({ of }) => of(givenDatabase({}, { status: { backup } })));
    expect(told).toEqual([Date.parse(backup.last) / 1000, Date.parse(backup.lastVerified) / 1000]);
    expect(Object.values(figures).map(({ of }) => of(givenDatabase()))).toEqual([undefined, undefined]);
  });
});

const deletionTimestamp = '2026-11-22T11:50:00Z';
const deleted = (
  spec = {},
  reason?: string,
  status: DatabaseResource['status'] = { primary: 'orders-1', timeline: 1 },
): DatabaseResource =>
  givenDatabase(spec, {
    meta: { uid: '0123456789ab', deletionTimestamp },
    status: {
      ...status,
      ...(reason && {
        conditions: [{ type: 'Deletable', status: reason === 'Saving' ? 'Unknown' : 'True', reason } as never],
      }),
    },
  });
const final = (n: number, status = {}, creationTimestamp = deletionTimestamp) =>
  givenBackup(`orders-final-01234567-${n}`, { spec: { origin: 'Snapshot' }, status, meta: { creationTimestamp } });

describe('line 8: the backups of a Database that is being deleted', () => {
  const first = 'DatabaseBackup orders-final-01234567-1';
  it.each<{ are: string[]; say: string; when: string; database?: DatabaseResource; around?: Around }>([
    { when: 'it was deleted a moment ago: the last one, and no other', are: [first, ...place], say: 'Saving' },
    {
      when: 'others are there: they are left',
      around: { backups: [verified] },
      ...{ are: [first, ...place], say: 'Saving' },
    },
    {
      when: 'the last one is made',
      around: { backups: [final(1, inArchive('2026-11-22'))] },
      ...{ are: [first, ...place], say: 'Verifying' },
    },
    {
      when: 'the last one was bad: another one',
      around: { backups: [final(1, inArchive('2026-11-22', { verified: bad }))] },
      are: [first, 'DatabaseBackup orders-final-01234567-2', ...place],
      say: 'Verifying',
    },
    {
      when: 'the last one is good, and what was written since is not in the archive',
      around: { backups: [final(1, inArchive('2026-11-22', { verified: good }))] },
      ...{ are: [first, ...place], say: 'Closing' },
    },
    {
      when: 'the last one is closed, and that is not said yet',
      around: { backups: [final(1, inArchive('2026-11-22', closed))] },
      ...{ are: [first, ...place], say: 'Saved' },
    },
    {
      when: 'the last one is closed, and has left the archive',
      around: { backups: [final(1, { ...inArchive('2026-11-22', closed), state: 'Expired' })] },
      ...{ are: [first, ...place], say: 'Verifying' },
    },
    {
      when: 'somebody made one of such a name beforehand: it lacks what was written since',
      around: { backups: [final(1, inArchive('2026-11-22', closed), '2026-11-22T11:49:59Z')] },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'Saving',
    },
    {
      when: 'the claim of the archive was made anew since: that has nothing of it',
      around: {
        backups: [final(1, inArchive('2026-11-22', closed))],
        archive: { creationTimestamp: '2026-11-22T11:55:00Z' },
      },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'Saving',
    },
    {
      when: 'there is no claim of the archive',
      around: { backups: [final(1, inArchive('2026-11-22', closed))], archive: undefined },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'Saving',
    },
    {
      when: 'the claim of the archive is being deleted, and the last one with it',
      around: {
        backups: [final(1, inArchive('2026-11-22', closed))],
        archive: { creationTimestamp: '2026-11-01T00:00:00Z', deletionTimestamp: '2026-11-22T11:59:00Z' },
      },
      ...{ are: [first, ...place], say: 'Saving' },
    },
    {
      when: 'nothing of it was ever there',
      database: deleted({}, undefined, {}),
      around: { instances: [] },
      ...{ are: [first, ...place], say: 'NothingToSave' },
    },
    {
      when: 'it was there, and nothing is left of it',
      database: deleted({}, undefined, { timeline: 1 }),
      around: { instances: [] },
      ...{ are: [first, ...place], say: 'Saving' },
    },
    {
      when: 'it has a claim alone',
      database: deleted({}, undefined, {}),
      around: { instances: [], volumes: { 'orders-1': 'pvc-1' } },
      ...{ are: [first, ...place], say: 'Saving' },
    },
    {
      when: 'the last one is good: the place stays as long as instances push their log',
      database: deleted({}, 'Saved'),
      around: { backups: [final(1, inArchive('2026-11-22', closed))] },
      ...{ are: place, say: 'Saved' },
    },
    {
      when: 'the last one is good, and no instance is left',
      database: deleted({}, 'Saved'),
      around: { backups: [final(1, inArchive('2026-11-22', closed))], instances: [] },
      ...{ are: [], say: 'Saved' },
    },
    {
      when: 'the last one was good and is its own no more: that saves the data as before',
      database: deleted({}, 'Saved'),
      around: { left: [final(1, inArchive('2026-11-22', closed))], instances: [], archive: undefined },
      ...{ are: [], say: 'Saved' },
    },
    {
      when: 'a Database of its name left one before: that has other data',
      around: {
        left: [
          givenBackup('orders-final-fedcba98-1', {
            spec: { origin: 'Snapshot' },
            status: inArchive('2026-11-22', { verified: good }),
          }),
        ],
      },
      ...{ are: [first, ...place], say: 'Saving' },
    },
    { when: 'its volumes stay', database: deleted({ deletionPolicy: 'Retain' }), are: place, say: 'NothingToSave' },
    {
      when: 'all goes',
      database: deleted({ deletionPolicy: 'Delete' }),
      around: { instances: [], backups: [verified] },
      ...{ are: [], say: 'NothingToSave' },
    },
    {
      when: 'its namespace goes',
      around: { obstacle: 'DatabaseBackup x cannot be made, its namespace is being deleted' },
      ...{ are: [first, ...place], say: 'NamespaceEnding' },
    },
    { when: 'time is up', around: { now: '2026-11-22T12:20:00Z' }, are: [first, ...place], say: 'SnapshotFailed' },
  ])('are $are, when $when', ({ are, say, database = deleted(), around = {} }) => {
    const facts = factsAbout(database, around);
    expect(wanted(facts)).toEqual([...are].sort());
    expect(said(facts)).toEqual([`Deletable ${say}`]);
  });

  test('are looked at again at once when it is said that it may go, and at the deadline', () => {
    const again = (database: DatabaseResource) => assess(factsAbout(database) as never).recheckAfter;
    expect(again(deleted())).toBe(1);
    expect(again(deleted({}, 'Saving'))).toBe(20 * 60_000);
    expect(again(deleted({ deletionPolicy: 'Retain' }, 'NothingToSave'))).toBeUndefined();
  });

  test('tell in the status how far the last one is, and why it is not further', () => {
    const problem = 'pgbackrest failed: no route to the bucket';
    const { status, conditions } = assess(factsAbout(deleted(), { backups: [final(1, { problem })] }) as never);
    expect(status?.snapshot).toEqual({
      ...{ name: 'orders-final-01234567-1', state: 'Running', deadline: '2026-11-22T12:20:00Z', problem },
    });
    expect(conditions.Deletable?.message).toBe(`the last backup is tried again: ${problem}`);
  });

  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'orders-repo' } };
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orders-repo' } };
  const expired = scheduled('20261101-030000', { label: 'F', state: 'Expired' });
  const failed = scheduled('20261101-030000', { state: 'Failed' });
  it.each<{ stay: boolean; what: string; object: object; when: string; database: DatabaseResource }>([
    { stay: true, what: 'the archive', object: claim, when: 'it is deleted', database: deleted() },
    { stay: true, what: 'the archive', object: claim, when: 'it makes no more backups', database: givenDatabase() },
    {
      ...{ stay: true, what: 'the archive', object: claim, when: 'it makes no more backups, and is to go with all' },
      database: givenDatabase({ deletionPolicy: 'Delete' }),
    },
    {
      stay: false,
      what: 'the archive',
      object: claim,
      when: 'all goes',
      database: deleted({ deletionPolicy: 'Delete' }),
    },
    { stay: true, what: 'a backup', object: verified, when: 'it is deleted', database: deleted() },
    {
      stay: true,
      what: 'a backup',
      object: verified,
      when: 'its volumes stay',
      database: deleted({ deletionPolicy: 'Retain' }),
    },
    {
      stay: false,
      what: 'a backup',
      object: verified,
      when: 'all goes',
      database: deleted({ deletionPolicy: 'Delete' }),
    },
    {
      stay: false,
      what: 'a backup that left the archive',
      object: expired,
      when: 'it is deleted',
      database: deleted(),
    },
    { stay: false, what: 'a backup that failed', object: failed, when: 'it lives', database: givenDatabase() },
    { stay: false, what: 'what can be made again', object: settings, when: 'it is deleted', database: deleted() },
  ])('stay: $stay, $what, when $when', ({ stay, object, database }) => {
    expect(leaves(object as never, database)).toBe(stay);
  });
});
