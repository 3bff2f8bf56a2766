import { describe, expect, it, test } from 'vitest';
import type { DatabaseResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/backup-schedule/assess.js';
import { retains } from '../../../../../operator/controllers/database/backup-schedule/retention.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';
import { type Around, factsAbout, inArchive, said, scheduled, wanted } from './given-backups.js';

const place = ['ConfigMap orders-repo', 'PersistentVolumeClaim orders-repo', 'Pod orders-repo'];
const good = { result: 'RestoreSucceeded' as const, at: '2026-11-21T04:00:00Z' };
const closed = { verified: good, closed: '2026-11-22T11:58:00Z' };
const bad = { result: 'RestoreFailed' as const, at: '2026-11-21T04:00:00Z', message: 'invalid checksum' };
const verified = scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }), {
  'reconstruct.dev/verify': 'true',
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
        conditions: [{ type: 'Deletable', status: reason === 'SnapshotRunning' ? 'Unknown' : 'True', reason } as never],
      }),
    },
  });
const final = (n: number, status = {}, creationTimestamp = deletionTimestamp) =>
  givenBackup(`orders-final-01234567-${n}`, { spec: { origin: 'Snapshot' }, status, meta: { creationTimestamp } });

describe('line 8: the backups of a Database that is being deleted', () => {
  const first = 'DatabaseBackup orders-final-01234567-1';
  it.each<{ are: string[]; say: string; when: string; database?: DatabaseResource; around?: Around }>([
    { when: 'it was deleted a moment ago: the last one, and no other', are: [first, ...place], say: 'SnapshotRunning' },
    {
      when: 'others are there: they are left',
      around: { backups: [verified] },
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    {
      when: 'the last one is made',
      around: { backups: [final(1, inArchive('2026-11-22'))] },
      ...{ are: [first, ...place], say: 'SnapshotVerifying' },
    },
    {
      when: 'the last one was bad: another one',
      around: { backups: [final(1, inArchive('2026-11-22', { verified: bad }))] },
      are: [first, 'DatabaseBackup orders-final-01234567-2', ...place],
      say: 'SnapshotVerifying',
    },
    {
      when: 'the last one is good, and what was written since is not in the archive',
      around: { backups: [final(1, inArchive('2026-11-22', { verified: good }))] },
      ...{ are: [first, ...place], say: 'Closing' },
    },
    {
      when: 'the last one is closed, and that is not said yet',
      around: { backups: [final(1, inArchive('2026-11-22', closed))] },
      ...{ are: [first, ...place], say: 'SnapshotCompleted' },
    },
    {
      when: 'the last one is closed, and has left the archive',
      around: { backups: [final(1, { ...inArchive('2026-11-22', closed), state: 'Expired' })] },
      ...{ are: [first, ...place], say: 'SnapshotVerifying' },
    },
    {
      when: 'somebody made one of such a name beforehand: it lacks what was written since',
      around: { backups: [final(1, inArchive('2026-11-22', closed), '2026-11-22T11:49:59Z')] },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'SnapshotRunning',
    },
    {
      when: 'the claim of the archive was made anew since: that has nothing of it',
      around: {
        backups: [final(1, inArchive('2026-11-22', closed))],
        archive: { creationTimestamp: '2026-11-22T11:55:00Z' },
      },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'SnapshotRunning',
    },
    {
      when: 'there is no claim of the archive',
      around: { backups: [final(1, inArchive('2026-11-22', closed))], archive: undefined },
      are: ['DatabaseBackup orders-final-01234567-2', ...place],
      say: 'SnapshotRunning',
    },
    {
      when: 'the claim of the archive is being deleted, and the last one with it',
      around: {
        backups: [final(1, inArchive('2026-11-22', closed))],
        archive: { creationTimestamp: '2026-11-01T00:00:00Z', deletionTimestamp: '2026-11-22T11:59:00Z' },
      },
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    {
      when: 'nothing of it was ever there',
      database: deleted({}, undefined, {}),
      around: { instances: [] },
      ...{ are: [first, ...place], say: 'SnapshotNotNeeded' },
    },
    {
      when: 'it was there, and nothing is left of it',
      database: deleted({}, undefined, { timeline: 1 }),
      around: { instances: [] },
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    {
      when: 'a primary was seen that did not tell anything yet',
      database: deleted({}, undefined, { primary: 'orders-1' }),
      around: { instances: [] },
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    {
      when: 'it has a claim alone',
      database: deleted({}, undefined, {}),
      around: { instances: [], volumes: { 'orders-1': 'pvc-1' } },
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    {
      when: 'the last one is good: the place stays as long as instances push their log',
      database: deleted({}, 'SnapshotCompleted'),
      around: { backups: [final(1, inArchive('2026-11-22', closed))] },
      ...{ are: place, say: 'SnapshotCompleted' },
    },
    {
      when: 'the last one is good, and no instance is left',
      database: deleted({}, 'SnapshotCompleted'),
      around: { backups: [final(1, inArchive('2026-11-22', closed))], instances: [] },
      ...{ are: [], say: 'SnapshotCompleted' },
    },
    {
      when: 'the last one was good and is its own no more: that saves the data as before',
      database: deleted({}, 'SnapshotCompleted'),
      around: { left: [final(1, inArchive('2026-11-22', closed))], instances: [], archive: undefined },
      ...{ are: [], say: 'SnapshotCompleted' },
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
      ...{ are: [first, ...place], say: 'SnapshotRunning' },
    },
    { when: 'its volumes stay', database: deleted({ deletionPolicy: 'Retain' }), are: place, say: 'SnapshotNotNeeded' },
    {
      when: 'all goes',
      database: deleted({ deletionPolicy: 'Delete' }),
      around: { instances: [], backups: [verified] },
      ...{ are: [], say: 'SnapshotNotNeeded' },
    },
    {
      when: 'its namespace goes',
      around: { blocker: 'DatabaseBackup x cannot be created because its namespace is being deleted' },
      ...{ are: [first, ...place], say: 'NamespaceTerminating' },
    },
    { when: 'time is up', around: { now: '2026-11-22T12:20:00Z' }, are: [first, ...place], say: 'SnapshotFailed' },
  ])('are $are, when $when', ({ are, say, database = deleted(), around = {} }) => {
    const facts = factsAbout(database, around);
    expect(wanted(facts)).toEqual([...are].sort());
    expect(said(facts)).toEqual([`Deletable ${say}`]);
  });

  test('are looked at again at once when it is said that it may go, and at the deadline', () => {
    const again = (database: DatabaseResource) => assess(factsAbout(database) as never).requeueAfter;
    expect(again(deleted())).toBe(1);
    expect(again(deleted({}, 'SnapshotRunning'))).toBe(20 * 60_000);
    expect(again(deleted({ deletionPolicy: 'Retain' }, 'SnapshotNotNeeded'))).toBeUndefined();
  });

  test('tell in the status how far the last one is, and why it is not further', () => {
    const problem = 'pgbackrest failed: no route to the bucket';
    const { status, conditions } = assess(factsAbout(deleted(), { backups: [final(1, { problem })] }) as never);
    expect(status?.snapshot).toEqual({
      ...{ name: 'orders-final-01234567-1', state: 'Running', deadline: '2026-11-22T12:20:00Z', problem },
    });
    expect(conditions.Deletable?.message).toBe(`The final backup is retried: ${problem}`);
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
    expect(retains(object as never, database)).toBe(stay);
  });

  const deletable = (status: DatabaseResource['status'], snapshot = {}, instances: readonly string[] = []) => {
    const backups = [final(1, inArchive('2026-11-22', { verified: good, ...snapshot }))];
    return assess(factsAbout(deleted({}, 'Closing', status), { backups, instances }) as never);
  };
  const retrying = (reason: string, message: string) => ({
    conditions: [{ type: 'Closed', status: 'Unknown', reason, message } as never],
  });

  test('are closed when no instance is left, and not before', () => {
    const running = deletable({ timeline: 1, primary: 'orders-1', closing: 'orders-1' }, {}, ['orders-1']);
    expect(running.status?.snapshot).toMatchObject({ name: 'orders-final-01234567-1', state: 'Completed' });
    const stopped = deletable({ timeline: 1, closing: 'orders-1' });
    expect(stopped.status?.snapshot).toMatchObject({ name: 'orders-final-01234567-1', state: 'Closing' });
    expect(stopped.conditions.Deletable).toEqual({ reason: 'Closing' });
  });

  it.each([
    {
      what: 'the archive is away',
      snapshot: retrying('Retrying', 'The end of the log could not be archived: orders-repo is unavailable'),
      says: /^The instances have stopped\. The end of the log could not .* orders-repo is unavailable; fix this problem, or annotate/,
    },
    {
      what: 'its Pod has no place',
      snapshot: retrying('WorkerNotReady', 'The worker does not run yet: Unschedulable: no node'),
      says: /^The instances have stopped\. The worker does not run yet: Unschedulable: no node; fix this problem/,
    },
  ])('say why the last one is not closed: $what', ({ snapshot, says }) => {
    expect(deletable({ timeline: 1, closing: 'orders-1' }, snapshot).conditions.Deletable?.message).toMatch(says);
  });

  test('say that no instance stops last where none leads', () => {
    const message = deletable({ timeline: 1 }, {}, ['orders-2']).conditions.Deletable?.message;
    expect(message).toMatch(/^The final backup is verified, but no primary exists to stop last; fix this problem/);
  });

  test('say what becomes of a last one whose archive is being deleted', () => {
    const archive = { creationTimestamp: '2026-11-01T00:00:00Z', deletionTimestamp: '2026-11-22T11:59:00Z' };
    const backups = [final(1, inArchive('2026-11-22', closed))];
    const { conditions } = assess(factsAbout(deleted(), { backups, archive }) as never);
    expect(conditions.Deletable?.message).toMatch(
      /^PVC orders-repo, .* a final backup would be lost with it; delete the Pod/,
    );
  });
});
