import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/database-backup/assess.js';
import { desire } from '../../../../operator/controllers/database-backup/desire.js';
import type { BackupView } from '../../../../operator/controllers/database-backup/view.js';
import type { LivePod, Manifest } from '../../../../operator/runtime/index.js';
import { rejectionPolicyOf } from '../../../../operator/runtime/rendering/object-policies.js';
import { givenBackup, givenDatabase, givenWorker, madeResult } from './given-backup.js';
import { elsewhere, factsAbout, keeping, later, leaving, made, unplaced, type World } from './given-facts.js';

/** The names of the Pods that are to be. */
function workers(facts: BackupView): string[] {
  const chart = new Chart(new App(), 'resource');
  desire(chart, facts);
  return chart.toJson().map(({ metadata }: Manifest) => metadata.name);
}

const said = (facts: BackupView) => {
  const { conditions, status } = assess(facts);
  return `${status?.state}: ${conditions.Completed?.reason}${conditions.Verified ? ` ${conditions.Verified.reason}` : ''}`;
};

const verify = { annotations: { 'reconstruct.dev/verify': 'true' } };
const failed = { attempts: 1, tried: '2026-11-21T03:09:55Z', problem: 'no route' };

const bucket = {
  ...{ endpoint: 's3.example.com', bucket: 'backups', region: 'us-east-1', uriStyle: 'Path' as const },
  secretRef: { name: 'keys' },
};
/** It is made, and its Database backs up to a bucket. */
const inBucket = (keys: string) => ({
  backup: { status: unplaced },
  world: { database: givenDatabase({ backup: { target: { s3: { ...bucket, secretRef: { name: keys } } } } }) },
});

describe('line 6: a backup', () => {
  test.each<{ is: string; runs: string[]; when: string; backup?: Parameters<typeof givenBackup>[1]; world?: World }>([
    { is: 'Running: Running', runs: ['nightly-make-1'], when: 'it is its turn' },
    { is: 'Pending: DatabaseNotFound', runs: [], when: 'there is no Database', world: { database: undefined } },
    { is: 'Pending: NoBackupTarget', runs: [], when: 'it has no place', world: { database: without() } },
    {
      is: 'Pending: DatabaseNotReady',
      runs: [],
      when: 'nobody takes writes',
      world: { database: givenDatabase({}, { status: {} }) },
    },
    {
      ...{ is: 'Pending: Pending', runs: [], when: 'another one runs' },
      world: { siblings: [givenBackup('other', { status: { state: 'Running' } })] },
    },
    {
      ...{ is: 'Running: Running', runs: ['nightly-make-1'], when: 'another one has failed for good' },
      world: { siblings: [givenBackup('a', { status: { state: 'Failed' } })] },
    },
    {
      ...{ is: 'Running: Running', runs: ['nightly-make-1'], when: 'another one is being deleted' },
      world: { siblings: [givenBackup('a', { status: { state: 'Running' }, meta: leaving })] },
    },
    {
      ...{ is: 'Running: Running', runs: ['nightly-make-1'], when: 'another Database is backed up' },
      world: { siblings: [givenBackup('a', { spec: { database: 'carts' }, status: { state: 'Running' } })] },
    },
    {
      ...{ is: 'Pending: Pending', runs: [], when: 'the last one of its Database was wanted later' },
      world: { siblings: [givenBackup('z', { spec: { origin: 'Snapshot' } })] },
    },
    { is: 'Pending: Retrying', runs: [], when: 'it failed a moment ago', backup: { status: failed } },
    {
      ...{ is: 'Running: Running', runs: ['nightly-make-2'], when: 'it failed some time ago' },
      backup: { status: { ...failed, tried: '2026-11-21T03:00:00Z' } },
    },
    { is: 'Failed: Failed', runs: [], when: 'it was given up', backup: { status: { ...failed, state: 'Failed' } } },
    {
      is: 'Completed: Completed',
      runs: [],
      when: 'it is made, and nobody wants to know more',
      backup: { status: made },
    },
    {
      ...{ is: 'Completed: Completed Running', runs: ['nightly-verify-1'], when: 'it is to be verified' },
      backup: { status: made, meta: verify },
    },
    {
      ...{ is: 'Verified: Completed RestoreSucceeded', runs: [], when: 'it was found good' },
      backup: { status: { ...made, verified: { result: 'RestoreSucceeded' } }, meta: verify },
    },
    {
      ...{ is: 'Completed: Completed RestoreFailed', runs: [], when: 'it was found bad' },
      backup: { status: { ...made, verified: { result: 'RestoreFailed' } }, meta: verify },
    },
    {
      ...{ is: 'Expired: Expired', runs: [], when: 'its retention keeps later ones' },
      backup: { status: made, meta: verify },
      world: {
        database: keeping(1),
        siblings: [givenBackup('b', { status: { ...made, finished: '2026-11-22T03:00:09Z' } })],
      },
    },
    {
      ...{ is: 'Failed: Cancelled', runs: [], when: 'its Database is being deleted' },
      world: { database: givenDatabase({}, { meta: leaving }), pods: [givenWorker('nightly-make-1')] },
    },
    {
      ...{
        is: 'Running: Running Pending',
        runs: ['nightly-make-1'],
        when: 'it is the last one of one that is being deleted',
      },
      backup: { spec: { origin: 'Snapshot' } },
      world: { database: givenDatabase({}, { meta: leaving, status: { primary: 'orders-1' } }) },
    },
    {
      ...{ is: 'Completed: Completed', runs: ['nightly-expire-1'], when: 'it is deleted' },
      backup: { status: made, meta: leaving },
    },
    {
      ...{ is: 'Expired: Expired', runs: [], when: 'it is deleted and has left the archive' },
      backup: { status: { ...made, state: 'Expired' }, meta: leaving },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'it is deleted with its Database, whose archive stays' },
      backup: { status: made, meta: leaving },
      world: { database: givenDatabase({}, { meta: leaving }) },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'it is deleted after its Database' },
      backup: { status: made, meta: leaving },
      world: { database: undefined },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'it is deleted, and its Database backs up to elsewhere by now' },
      backup: { status: { ...made, archive: elsewhere }, meta: leaving },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'it is to be verified, and is elsewhere' },
      backup: { status: { ...made, archive: elsewhere }, meta: verify },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'there are later ones in another archive than its own' },
      backup: { status: { ...made, archive: elsewhere } },
      world: { database: keeping(1), siblings: [givenBackup('b', { status: later })] },
    },
    {
      ...{ is: 'Completed: Completed', runs: [], when: 'the later ones are in another archive' },
      backup: { status: made },
      world: { database: keeping(1), siblings: [givenBackup('b', { status: { ...later, archive: elsewhere } })] },
    },
  ])('is $is, with $runs, when $when', ({ is, runs, backup, world }) => {
    const facts = factsAbout(givenBackup('nightly', backup), world);
    expect(said(facts)).toBe(is);
    expect(workers(facts)).toEqual(runs);
  });

  test.each<{ says: object | undefined; when: string; backup?: Parameters<typeof givenBackup>[1]; world?: World }>([
    { says: { volume: { claimName: 'orders-repo' } }, when: 'it is in a volume', backup: { status: unplaced } },
    { says: { s3: { ...bucket, path: '/shop/orders' } }, when: 'it is in a bucket', ...inBucket('keys') },
    {
      ...{ says: { s3: { ...bucket, path: '/shop/orders' } }, when: 'its Database is gone' },
      backup: { status: { ...made, archive: { s3: { ...bucket, path: '/shop/orders' } } } },
      world: { database: undefined },
    },
    {
      ...inBucket('new'),
      ...{ says: { s3: { ...bucket, path: '/shop/orders', secretRef: { name: 'new' } } }, when: 'the keys are others' },
      backup: { status: { ...made, archive: { s3: { ...bucket, path: '/shop/orders' } } } },
    },
    {
      ...{ ...inBucket('keys'), says: elsewhere, when: 'its Database backs up to elsewhere by now' },
      backup: { status: { ...made, archive: elsewhere } },
    },
    { says: undefined, when: 'it is not made' },
  ])('line 7: says where it is, without the keys, so that it can be restored: $when', ({ says, backup, world }) => {
    expect(assess(factsAbout(givenBackup('nightly', backup), world)).status?.archive).toEqual(says);
  });

  test.each<{ keeps: object; when: string; backup?: Parameters<typeof givenBackup>[1]; pod: LivePod }>([
    {
      when: 'it was made',
      pod: givenWorker('nightly-make-1', madeResult),
      keeps: {
        ...made,
        instance: 'orders-2',
        started: '2026-11-21T03:00:00Z',
        position: { start: '0/3000028', stop: '0/3000138', timeline: 1 },
        ...{ sizeBytes: 31_000_000, storedBytes: 4_000_000, firstRecoverable: '2026-11-21T03:00:09Z' },
      },
    },
    {
      when: 'its worker could not do it',
      pod: givenWorker('nightly-make-1', { problem: 'pgbackrest failed: no space left' }, 1),
      keeps: {
        attempts: 1,
        tried: '2026-11-21T03:10:00Z',
        problem: 'pgbackrest failed: no space left',
        state: 'Pending',
      },
    },
    {
      when: 'its worker was killed before it said anything',
      pod: givenWorker('nightly-make-1', '', 137),
      keeps: {
        attempts: 1,
        tried: '2026-11-21T03:10:00Z',
        problem: 'the worker exited with code 137',
        state: 'Pending',
      },
    },
    {
      when: 'it failed for the third time',
      backup: { status: { ...failed, attempts: 2, tried: '2026-11-21T03:00:00Z' } },
      pod: givenWorker('nightly-make-3', { problem: 'no route' }, 1),
      keeps: { attempts: 3, tried: '2026-11-21T03:10:00Z', problem: 'no route', state: 'Failed' },
    },
    {
      when: 'what it was made of is corrupt',
      backup: { status: made, meta: verify },
      pod: givenWorker('nightly-verify-1', { good: false, problem: 'invalid checksum of base/5/1259' }),
      keeps: {
        ...made,
        verified: { result: 'RestoreFailed', at: '2026-11-21T03:10:00Z', message: 'invalid checksum of base/5/1259' },
      },
    },
    {
      when: 'it was restored and read',
      backup: { status: made, meta: verify },
      pod: givenWorker('nightly-verify-1', { good: true, message: 'every row was read' }),
      keeps: {
        ...made,
        state: 'Verified',
        verified: { result: 'RestoreSucceeded', at: '2026-11-21T03:10:00Z', message: 'every row was read' },
      },
    },
    {
      when: 'it could not be found out whether it is good',
      backup: { status: made, meta: verify },
      pod: givenWorker('nightly-verify-1', { problem: 'the archive does not answer' }, 1),
      keeps: { ...made, attempts: 1, tried: '2026-11-21T03:10:00Z', problem: 'the archive does not answer' },
    },
    {
      when: 'an earlier try ends late',
      backup: { status: { ...failed, tried: '2026-11-21T03:00:00Z' } },
      pod: givenWorker('nightly-make-1', { problem: 'too late' }, 1),
      keeps: { ...failed, tried: '2026-11-21T03:00:00Z', state: 'Running' },
    },
  ])('keeps what its worker found before the Pod goes, when $when', ({ keeps, backup, pod }) => {
    const facts = factsAbout(givenBackup('nightly', backup), { pods: [pod] });
    expect(workers(facts).length).toBe(1);
    const { expires: _, ...kept } = assess(facts).status ?? {};
    expect(kept).toEqual(keeps);
    const after = givenBackup('nightly', {
      ...backup,
      status: assess(facts).status as DatabaseBackupResource['status'],
    });
    if (pod.metadata.name.includes(`-${(keeps as { attempts?: number }).attempts ?? 1}`))
      expect(workers(factsAbout(after))).not.toContain(pod.metadata.name);
  });

  test('keeps the version of PostgreSQL that it was made of', () => {
    const database = givenDatabase({}, { status: { primary: 'orders-1', version: '15.20' } });
    const pods = [givenWorker('nightly-make-1', madeResult)];
    const { status } = assess(factsAbout(givenBackup('nightly'), { database, pods }));
    expect(status).toMatchObject({ state: 'Completed', version: '15.20' });
    const updated = givenDatabase({}, { status: { primary: 'orders-1', version: '15.21' } });
    const later = givenBackup('nightly', { status: status as DatabaseBackupResource['status'] });
    expect(assess(factsAbout(later, { database: updated })).status).toMatchObject({ version: '15.20' });
  });

  test('is looked at again at once when something was found, and when the next try is due', () => {
    const found = factsAbout(givenBackup('nightly'), { pods: [givenWorker('nightly-make-1', madeResult)] });
    expect(assess(found).requeueAfter).toBe(1);
    expect(assess(factsAbout(givenBackup('nightly', { status: failed }))).requeueAfter).toBe(10_000);
    expect(assess(factsAbout(givenBackup('nightly', { status: made }))).requeueAfter).toBeUndefined();
  });

  test('records one event for its completion and one for its failed verification', () => {
    const found = factsAbout(givenBackup('nightly'), { pods: [givenWorker('nightly-make-1', madeResult)] });
    expect(assess(found).events?.map(({ reason }) => reason)).toEqual(['BackupCompleted']);
    const bad = givenWorker('nightly-verify-1', { good: false, problem: 'corrupt' });
    const told = assess(factsAbout(givenBackup('nightly', { status: made, meta: verify }), { pods: [bad] }));
    expect(told.events).toEqual([
      { type: 'Warning', reason: 'BackupRestoreFailed', note: 'Failed to restore backup nightly: corrupt' },
    ]);
    const status = { ...made, verified: { result: 'RestoreFailed' as const } };
    expect(assess(factsAbout(givenBackup('nightly', { status, meta: verify }))).events).toEqual([]);
  });

  test('says why its worker does not begin', () => {
    const waiting = { reason: 'ErrImagePull', message: 'not found' };
    const pod = givenWorker('nightly-make-1');
    const containerStatuses = [{ name: 'worker', ready: false, restartCount: 0, image: '', state: { waiting } }];
    const facts = factsAbout(givenBackup('nightly'), {
      pods: [{ ...pod, status: { phase: 'Pending', containerStatuses } }],
    });
    expect(assess(facts).conditions.Completed?.message).toBe('The worker does not run yet: ErrImagePull: not found');
  });

  test('says why the API server refuses its worker, and reports all else as it is', () => {
    const blocker = 'pods "nightly-verify-1" is forbidden: exceeded quota: team';
    const { conditions } = assess({ ...factsAbout(givenBackup('nightly')), blocker });
    expect(conditions.Completed).toEqual({ reason: 'Running', message: `The worker does not run yet: ${blocker}` });
    const after = assess({ ...factsAbout(givenBackup('nightly', { status: made, meta: verify })), blocker });
    expect(after.conditions.Completed).toEqual({ reason: 'Completed' });
    const chart = new Chart(new App(), 'chart');
    desire(chart, factsAbout(givenBackup('nightly')));
    const pod = chart.node.findAll().find((one) => ApiObject.isApiObject(one)) as ApiObject;
    expect(rejectionPolicyOf(pod)).toMatchObject({ holdsUp: false });
  });
});

function without(): DatabaseResource {
  const database = givenDatabase();
  const { backup: _, ...spec } = database.spec;
  return { ...database, spec };
}
