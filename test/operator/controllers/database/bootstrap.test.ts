import { describe, expect, test } from 'vitest';
import type { DatabaseBackupResource, DatabaseResource, DatabaseSpecInput } from '../../../../imports/index.js';
import { bootstrapOf } from '../../../../operator/controllers/database/bootstrap.js';
import type { DatabaseReads } from '../../../../operator/controllers/database/declarations.js';
import { desire } from '../../../../operator/controllers/database/desire.js';
import type { LivePersistentVolumeClaim } from '../../../../operator/runtime/index.js';
import { type Loose, live } from '../../../given.js';
import { rendered } from '../../../src/database/given-database.js';
import { givenBackup, givenDatabase } from '../database-backup/given-backup.js';
import { databaseView } from './given-view.js';

type Status = DatabaseBackupResource['status'];
type Reads = Pick<DatabaseReads, 'sources' | 'backup' | 'archives'>;

const label = '20261121-030000F';
const secretRef = { name: 'keys' };
const bucket = { endpoint: 's3.example.com', bucket: 'backups', secretRef };
const s3 = { ...bucket, region: 'us-east-1', path: '/shop/orders', uriStyle: 'Path' as const };
const inVolume: Status = { label, archive: { volume: { claimName: 'orders-repo' } } };
const inBucket: Status = { label, archive: { s3 } };
const leaving = { meta: { deletionTimestamp: '2026-11-21T03:00:00Z' } };
const repository = live({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'orders-repo', namespace: 'shop' } },
  ...{ spec: { resources: {} } },
}) as unknown as LivePersistentVolumeClaim;

/** The Database `carts`, which is to begin with a backup of `orders`. */
function restoring(from: object, status: DatabaseResource['status'] = {}): DatabaseResource {
  const spec = { bootstrap: { restore: { from } } } as Partial<DatabaseSpecInput>;
  return givenDatabase(spec, { meta: { name: 'carts' }, status });
}

const reading = (reads: Partial<Reads> = {}): Reads => ({ sources: [], backup: undefined, archives: [], ...reads });

/** Whence, as `of orders-repo by carts-archive`. */
function whence(reads: Partial<Reads>, from: object = { backup: 'nightly' }): string {
  const found = bootstrapOf(restoring(from), reading(reads));
  if (!found) return 'nothing';
  const { target } = found.source.backup;
  if (target.s3) return `${target.s3.bucket}${target.s3.path} by ${target.s3.secretRef.name}`;
  return found.claim === undefined ? `${found.source.name}-repo` : `${found.claim} by ${found.source.servedBy}-archive`;
}

describe('line 7: a Database that begins with a backup', () => {
  const backup = (status: Status = inVolume) => givenBackup('nightly', { status });

  test.each<{ from: string; when: string; reads: Partial<Reads> }>([
    {
      ...{ from: 'orders-repo', when: 'the Database that was backed up serves its volume' },
      reads: { backup: backup(), sources: [givenDatabase()], archives: [repository] },
    },
    {
      ...{ from: 'orders-repo by carts-archive', when: 'that Database is gone' },
      reads: { backup: backup(), archives: [repository] },
    },
    {
      ...{ from: 'orders-repo by carts-archive', when: 'that Database is being deleted' },
      reads: { backup: backup(), sources: [givenDatabase({}, leaving)], archives: [repository] },
    },
    {
      ...{ from: 'orders-repo by carts-archive', when: 'another one of its name backs up to a bucket' },
      reads: {
        ...{ backup: backup(), archives: [repository] },
        sources: [givenDatabase({ backup: { target: { s3: bucket } } })],
      },
    },
    { from: 'backups/shop/orders by keys', when: 'it is in a bucket', reads: { backup: backup(inBucket) } },
    {
      ...{ from: 'backups/shop/orders by keys', when: 'its Database has moved to another folder since' },
      reads: {
        backup: backup(inBucket),
        sources: [givenDatabase({ backup: { target: { s3: { ...bucket, path: '/new' } } } })],
      },
    },
    {
      ...{ from: 'orders-repo', when: 'nobody had written down yet where it is' },
      reads: { backup: backup({ label }), sources: [givenDatabase()] },
    },
  ])('reads $from when $when', ({ from, reads }) => expect(whence(reads)).toBe(from));

  test('reads the bucket that its spec names, where nothing in the cluster tells of it', () => {
    const archive = { database: 'orders', s3: { ...bucket, path: '/other/orders' } };
    expect(whence({}, { archive })).toBe('backups/other/orders by keys');
    expect(bootstrapOf(restoring({ archive }), reading())?.restoration).toEqual({ from: 'orders' });
  });

  test.each<{ why: string; reads: Partial<Reads>; from?: object }>([
    { why: 'from.backup: Invalid value: "nightly": must be a DatabaseBackup in this namespace', reads: {} },
    { why: '"nightly": must be a DatabaseBackup that is completed', reads: { backup: backup({}) } },
    {
      why: '"nightly": must be a DatabaseBackup that is still in the archive',
      reads: { backup: backup({ ...inVolume, state: 'Expired' }) },
    },
    {
      why: '"nightly": must have an archive, and PVC orders-repo with the archive of Database orders does not exist',
      reads: { backup: backup() },
    },
    {
      why: 'from.backup: Invalid value: "nightly": must have an archive, and this namespace has no Database orders with backups',
      reads: { backup: backup({ label }) },
    },
    {
      why: 'from.database: Invalid value: "orders": must have an archive, and this namespace has no Database orders with backups',
      reads: {},
      from: { database: 'orders' },
    },
  ])('is refused where $why, until it has begun', ({ why, reads, from = { backup: 'nightly' } }) => {
    expect(() => bootstrapOf(restoring(from), reading(reads))).toThrow(why);
    expect(bootstrapOf(restoring(from, { timeline: 1 }), reading(reads))).toBeUndefined();
  });

  test('reads the backup that was named, also when its Database is gone', () => {
    const found = bootstrapOf(restoring({ backup: 'nightly' }), reading({ backup: backup(), archives: [repository] }));
    expect(found?.restoration).toMatchObject({ from: 'orders', backup: label });
  });

  test('has a Pod for the volume that nobody serves, which cannot write to it, until an instance is ready', () => {
    const archive = (status: object = {}) => {
      const spec = { bootstrap: { restore: { from: { backup: 'nightly' } } } };
      const view = databaseView({ spec, status });
      const reads = { ...view.reads, backup: backup(), archives: [repository] };
      return rendered((scope) => desire(scope, { ...view, reads } as typeof view)).find(
        ({ kind, metadata }) => kind === 'Pod' && metadata.name === 'orders-archive',
      ) as Loose | undefined;
    };
    expect(archive()?.['spec']).toMatchObject({
      ...{ hostname: 'orders-archive', subdomain: 'orders-members', automountServiceAccountToken: false },
      volumes: expect.arrayContaining([
        { name: 'repository', persistentVolumeClaim: { claimName: 'orders-repo' } },
        expect.objectContaining({ name: 'backup-settings' }),
      ]),
    });
    expect(archive()?.['spec']?.containers[0].volumeMounts).toContainEqual({
      name: 'repository',
      mountPath: '/var/lib/pgbackrest',
      readOnly: true,
    });
    expect(archive({ timeline: 1, readyReplicas: 0 })).toBeDefined();
    expect(archive({ timeline: 1, readyReplicas: 1 })).toBeUndefined();
  });
});
