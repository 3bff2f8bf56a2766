import { describe, expect, it, test } from 'vitest';
import type { DatabaseBackupResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/backup-schedule/assess.js';
import { givenBackup, givenDatabase } from '../../database-backup/given-backup.js';
import { type Around, factsAbout, inArchive, scheduled, wanted } from './given-backups.js';

const nightly = scheduled('20261121-030000', inArchive('2026-11-21'));
const asked = (status: DatabaseBackupResource['status']) => givenBackup('orders-asked-now', { status });

describe('line 6: backups that a person asks for by an annotation', () => {
  it.each<{ are: string[]; asked: string | undefined; when: string; before?: string; backups?: Around['backups'] }>([
    { when: 'nothing was made for it: one', are: ['orders-asked-now'], asked: undefined },
    { when: 'one is on its way', are: ['orders-asked-now'], asked: 'now', backups: [asked({ state: 'Running' })] },
    { when: 'one was made', are: ['orders-asked-now'], asked: 'now', before: 'now', backups: [asked({ label: 'F' })] },
    { when: 'one was made and deleted since: no other', are: [], asked: 'now', before: 'now' },
    {
      when: 'one has left the archive: no other',
      ...{ are: [], asked: 'now', before: 'now', backups: [asked({ label: 'F', state: 'Expired' })] },
    },
    { when: 'one was made for another value: one more', are: ['orders-asked-now'], asked: 'then', before: 'then' },
  ])('are $are for the annotation "now" when $when', ({ are, asked: answered, before, backups = [] }) => {
    const annotations = { 'reconstruct.dev/backup': 'now' };
    const status = { primary: 'orders-1', backup: { ...(before !== undefined && { asked: before }) } };
    const facts = factsAbout(givenDatabase({}, { meta: { annotations }, status }), { backups: [nightly, ...backups] });
    const names = wanted(facts).flatMap((one) => /^DatabaseBackup (.*-asked-.*)$/.exec(one)?.[1] ?? []);
    expect(names).toEqual(are);
    expect(assess(facts as never).status?.backup?.asked).toBe(answered);
  });

  test.each([
    { value: '2026-11-22 12:00', name: /^orders-asked-2026-11-22-12-00-x[0-9a-f]{12}$/ },
    { value: 'x'.repeat(1000), name: /^orders-asked-x+-x[0-9a-f]{12}$/ },
  ])('may be asked for by any value: $value', ({ value, name }) => {
    const annotations = { 'reconstruct.dev/backup': value };
    const facts = factsAbout(givenDatabase({}, { meta: { annotations } }), { backups: [nightly] });
    expect(wanted(facts)).toContainEqual(expect.stringMatching(new RegExp(`^DatabaseBackup ${name.source.slice(1)}`)));
  });

  test('are not asked for by the annotation of one that is being deleted', () => {
    const annotations = { 'reconstruct.dev/backup': 'now' };
    const facts = factsAbout(givenDatabase({}, { meta: { annotations, deletionTimestamp: '2026-11-22T11:50:00Z' } }));
    expect(wanted(facts).filter((one) => one.includes('asked'))).toEqual([]);
  });
});
