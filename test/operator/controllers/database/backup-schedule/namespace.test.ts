import { describe, expect, test } from 'vitest';
import { assess } from '../../../../../operator/controllers/database/backup-schedule/assess.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';
import { factsAbout, inArchive, scheduled } from './given-backups.js';

const s3 = { endpoint: 's3.example.com', bucket: 'backups', secretRef: { name: 'bucket' } };
const good = { result: 'RestoreSucceeded' as const, at: '2026-11-21T04:00:00Z' };
const blocker = 'DatabaseBackup x cannot be created because its namespace is being deleted';

/** A Database in a namespace that was deleted ten minutes ago. @param reason what is said of it so far */
function ending(reason?: string, spec = {}) {
  const conditions = reason ? [{ type: 'Deletable', status: 'False', reason } as never] : [];
  return givenDatabase(spec, {
    meta: { deletionTimestamp: '2026-11-22T11:50:00Z' },
    status: { primary: 'orders-1', conditions },
  });
}

const said = (facts: ReturnType<typeof factsAbout>) => assess(facts as never).conditions.Deletable;

describe('line 8: a Database whose namespace is deleted', () => {
  test('tells at once how its volumes are kept', () => {
    const mark = said(factsAbout(ending(), { blocker, volumes: { 'orders-2': 'pvc-b', 'orders-1': 'pvc-a' } }));
    expect(mark?.reason).toBe('NamespaceTerminating');
    expect(mark?.message).toMatch(
      /kubectl patch pv pvc-a pvc-b -p '\{"spec":\{"persistentVolumeReclaimPolicy":"Retain"\}\}'$/,
    );
  });

  test.each([
    { when: 'before it is deleted itself', database: givenDatabase({}, { status: { primary: 'orders-1' } }) },
    { when: 'and where nothing was refused yet', database: ending() },
  ])('tells as soon as the namespace is being deleted, $when', ({ database }) => {
    const volumes = { 'orders-1': 'pvc-a' };
    const mark = said(factsAbout(database, { isNamespaceEnding: true, volumes }));
    expect(mark?.reason).toBe('NamespaceTerminating');
    expect(mark?.message).toContain('kubectl patch pv pvc-a ');
  });

  test.each([
    { when: 'a bucket has all of it', spec: { backup: { target: { s3 } } }, isNamespaceEnding: true },
    { when: 'there is nothing to save', spec: { deletionPolicy: 'Delete' as const }, isNamespaceEnding: true },
    { when: 'its namespace stays', spec: {}, isNamespaceEnding: false },
    { when: 'its namespace is not seen', spec: {}, isNamespaceEnding: undefined },
  ])('says nothing before it is deleted itself, where $when', ({ spec, isNamespaceEnding }) => {
    const backups = [scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }))];
    const around = {
      backups,
      volumes: { 'orders-1': 'pvc-a' },
      ...(isNamespaceEnding !== undefined && { isNamespaceEnding }),
    };
    expect(said(factsAbout(givenDatabase(spec, { status: { primary: 'orders-1' } }), around))).toBeUndefined();
  });

  test('tells of no volumes that are gone', () => {
    expect(said(factsAbout(ending(), { blocker, volumes: {} }))).toEqual({ reason: 'NamespaceTerminating' });
  });

  test('goes once its volumes are gone and the deadline has passed', () => {
    const late = { blocker, volumes: {}, now: '2026-11-22T12:20:00Z' };
    expect(said(factsAbout(ending(), late))?.reason).toBe('VolumesDeleted');
    expect(said(factsAbout(ending(), { ...late, volumes: { 'orders-1': 'pvc-a' } }))?.reason).toBe(
      'NamespaceTerminating',
    );
  });

  test.each([
    { reason: 'NamespaceTerminating', spec: {} },
    { reason: 'ArchiveRetained', spec: { backup: { target: { s3 } } } },
  ])('goes on saying $reason when nothing is made any more that could not be made', ({ reason, spec }) => {
    const backups = [scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }))];
    expect(said(factsAbout(ending(reason, spec), { backups }))?.reason).toBe(reason);
  });

  test.each([
    { have: 'all backups have', backups: [] },
    { have: 'the good one of its backups has', backups: [scheduled('20261121-030000', inArchive('2026-11-21'))] },
  ])('keeps what was known of its backups when $have gone before it', ({ backups }) => {
    const backup = { last: '2026-11-21T03:10:00Z', lastVerified: '2026-11-21T03:10:00Z' };
    const database = ending('NamespaceTerminating', { backup: { target: { s3 } } });
    const resource = { ...database, status: { ...database.status, backup } };
    const { status, conditions } = assess(factsAbout(resource, { blocker, backups }) as never);
    expect(status?.backup).toMatchObject({ lastVerified: backup.lastVerified });
    expect(conditions.Deletable?.reason).toBe('ArchiveRetained');
  });
});

test('line 8: a last backup that waits for a primary which never comes says so, and how it is given up', () => {
  const database = givenDatabase({}, { meta: { deletionTimestamp: '2026-11-22T11:50:00Z' }, status: {} });
  const conditions = [{ type: 'Completed', status: 'Unknown', reason: 'DatabaseNotReady' } as never];
  const name = `orders-final-${database.metadata.uid.slice(0, 8)}-1`;
  const backups = [
    givenBackup(name, {
      spec: { origin: 'Snapshot' },
      status: { conditions },
      meta: { creationTimestamp: '2026-11-22T11:50:01Z' },
    }),
  ];
  const mark = said(factsAbout(database, { backups }));
  expect(mark?.reason).toBe('SnapshotRunning');
  expect(mark?.message).toMatch(/^The final backup waits for a primary.*skip-final-snapshot=true$/);
});
