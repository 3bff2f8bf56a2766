import { describe, expect, test } from 'vitest';
import { assess } from '../../../../../operator/controllers/database/backups/assess.js';
import { givenDatabase } from '../../backup/given-backup.js';
import { factsAbout, inArchive, scheduled } from './given-backups.js';

const s3 = { endpoint: 's3.example.com', bucket: 'backups', secretRef: { name: 'bucket' } };
const good = { result: 'Good' as const, at: '2026-11-21T04:00:00Z' };
const obstacle = 'DatabaseBackup x cannot be made, its namespace is being deleted';

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
    const mark = said(factsAbout(ending(), { obstacle, volumes: { 'orders-2': 'pvc-b', 'orders-1': 'pvc-a' } }));
    expect(mark?.reason).toBe('NamespaceEnding');
    expect(mark?.message).toMatch(
      /kubectl patch pv pvc-a pvc-b -p '\{"spec":\{"persistentVolumeReclaimPolicy":"Retain"\}\}'$/,
    );
  });

  test('tells of no volumes that are gone', () => {
    expect(said(factsAbout(ending(), { obstacle, volumes: {} }))).toEqual({ reason: 'NamespaceEnding' });
  });

  test('goes once its volumes are gone and the deadline has passed', () => {
    const late = { obstacle, volumes: {}, now: '2026-11-22T12:20:00Z' };
    expect(said(factsAbout(ending(), late))?.reason).toBe('VolumesGone');
    expect(said(factsAbout(ending(), { ...late, volumes: { 'orders-1': 'pvc-a' } }))?.reason).toBe('NamespaceEnding');
  });

  test.each([
    { reason: 'NamespaceEnding', spec: {} },
    { reason: 'ArchiveStays', spec: { backup: { target: { s3 } } } },
  ])('goes on saying $reason when nothing is made any more that could not be made', ({ reason, spec }) => {
    const backups = [scheduled('20261121-030000', inArchive('2026-11-21', { verified: good }))];
    expect(said(factsAbout(ending(reason, spec), { backups }))?.reason).toBe(reason);
  });
});
