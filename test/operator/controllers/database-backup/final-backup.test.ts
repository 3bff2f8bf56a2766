import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/database-backup/assess.js';
import { desire } from '../../../../operator/controllers/database-backup/desire.js';
import type { BackupView } from '../../../../operator/controllers/database-backup/view.js';
import type { Loose } from '../../../given.js';
import { givenBackup, givenDatabase, givenWorker } from './given-backup.js';
import { elsewhere, factsAbout, made } from './given-facts.js';

const name = 'orders-final-01234567-1';
const good = { ...made, verified: { result: 'RestoreSucceeded' as const } };
const last = (status: DatabaseBackupResource['status'] = good, named = name) =>
  givenBackup(named, { spec: { origin: 'Snapshot' }, status });
const stopped = { snapshot: { name, state: 'Closing' as const }, closing: 'orders-1' };
const deleted = (
  status: DatabaseResource['status'] = stopped,
  meta: object = { deletionTimestamp: '2026-11-21T03:00:00Z' },
) => givenDatabase({}, { meta, status });
const close = `${name}-close-1`;

function workers(facts: BackupView): readonly Loose[] {
  const chart = new Chart(new App(), 'resource');
  desire(chart, facts);
  return chart.toJson();
}

describe('line 8: the last backup of a Database', () => {
  test.each<{
    by: readonly string[];
    when: string;
    backup?: DatabaseBackupResource;
    database?: DatabaseResource | undefined;
  }>([
    { by: [close], when: 'all instances have stopped' },
    { by: [], when: 'they have not', database: deleted({ ...stopped, snapshot: { name, state: 'Completed' } }) },
    { by: [], when: 'nobody has stopped last', database: deleted({ snapshot: stopped.snapshot }) },
    { by: [], when: 'another one is the last', backup: last(good, 'orders-final-01234567-2') },
    { by: [], when: 'the Database is not being deleted', database: deleted(stopped, {}) },
    { by: [], when: 'the Database is gone', database: undefined },
    { by: [], when: 'it is closed', backup: last({ ...good, closed: '2026-11-21T03:09:00Z' }) },
    { by: [], when: 'the Database backs up to another place', backup: last({ ...good, archive: elsewhere }) },
    { by: [`${name}-verify-1`], when: 'it is not verified', backup: last(made) },
    {
      by: [`${name}-close-3`],
      when: 'two tries have failed, and it is time for the next one',
      backup: last({ ...good, attempts: 2, tried: '2026-11-21T03:09:00Z', problem: 'away' }),
    },
    {
      by: [],
      when: 'two tries have failed, and it is not time for the next one',
      backup: last({ ...good, attempts: 2, tried: '2026-11-21T03:09:45Z', problem: 'away' }),
    },
  ])('is closed by $by when $when', ({ by, backup = last(), ...given }) => {
    const { database = 'database' in given ? undefined : deleted() } = given;
    expect(workers(factsAbout(backup, { database })).map(({ metadata }) => metadata.name)).toEqual(by);
  });

  test('is closed by the volume of who stopped last, and as an instance reaches the archive', () => {
    const [{ spec } = {} as Loose] = workers(factsAbout(last(), { database: deleted() }));
    const [{ command, volumeMounts }] = spec.containers;
    expect(command).toEqual(['reconstruct-worker', 'close', '--stanza=orders']);
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/lib/postgresql' });
    expect(spec.volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'orders-1' } });
    const [settings] = spec.volumes;
    expect(settings.projected.sources[0].configMap).toEqual({
      ...{ name: 'orders-postgres', items: [{ key: 'pgbackrest.conf', path: 'pgbackrest.conf' }] },
    });
    expect(spec.affinity).toBeUndefined();
  });

  test.each<{ is: object; says: object; message: object | string | undefined }>([
    {
      is: { closed: true, stop: '0/9000028' },
      says: { closed: '2026-11-21T03:10:00Z' },
      message: undefined,
    },
    {
      is: { problem: 'the instance still runs' },
      says: { attempts: 1, problem: 'the instance still runs' },
      message: 'The end of the log could not be archived: the instance still runs',
    },
  ])('says $says when its worker says $is', ({ is, says, message }) => {
    const { status, conditions } = assess(factsAbout(last(), { database: deleted(), pods: [givenWorker(close, is)] }));
    expect(status).toMatchObject(says);
    expect(conditions.Closed?.message).toEqual(message);
    expect(conditions.Closed?.reason).toBe(message === undefined ? 'Completed' : 'Retrying');
  });

  const unplaced = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' };
  test.each<{ reason: string; when: string; attempts?: number; status?: object; message?: string }>([
    { reason: 'Running', when: 'its worker runs' },
    {
      reason: 'WorkerNotReady',
      when: 'its worker has no place',
      status: { phase: 'Pending', conditions: [unplaced] },
      message: 'The worker does not run yet: Unschedulable: no node',
    },
    {
      reason: 'WorkerNotReady',
      when: 'its worker runs again',
      attempts: 1,
      message: 'Attempt 2 is running; the previous attempt failed: away',
    },
  ])('is $reason when $when', ({ reason, attempts = 0, status, message }) => {
    const worker = givenWorker(`${name}-close-${attempts + 1}`);
    const facts = factsAbout(last({ ...good, attempts, ...(attempts > 0 && { problem: 'away' }) }), {
      database: deleted(),
      pods: [{ ...worker, status: { ...worker.status, ...status } } as never],
    });
    expect(assess(facts).conditions.Closed).toEqual({ reason, message });
  });

  test('says nothing of that while it is an ordinary one', () => {
    expect(assess(factsAbout(givenBackup('nightly', { status: good }))).conditions.Closed).toBeUndefined();
  });
});
