import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { database, databaseBackup } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(database);
  await server.serve(databaseBackup);
});
afterAll(() => server.close());

const least = { storage: { size: '1Gi' }, backup: { target: { volume: { size: '2Gi' } } } };
const bucket = { target: { s3: { endpoint: 'store.example.com', bucket: 'backups', secretRef: { name: 'store' } } } };

describe('a Database that is there', () => {
  const before = { ...least, storage: { size: '1Gi', storageClassName: 'fast' }, replicas: 3 };
  beforeAll(async () => {
    expect((await server.create(database, { metadata: { name: 'changing' }, spec: before })).status).toBe(201);
  });
  afterAll(() => server.remove(database, 'changing'));

  test.each<readonly [message: string, change: object]>([
    ['spec.storage.storageClassName: Invalid value', { storage: { size: '1Gi', storageClassName: 'slow' } }],
    ['storageClassName is immutable', { storage: { size: '1Gi' } }],
    [
      'spec.backup.target: Invalid value: must not change between volume and s3; restore into a new Database that has the other one',
      { backup: bucket },
    ],
    [
      'spec.bootstrap: Invalid value: is immutable, because it takes effect when the Database is created; create another Database with the new value',
      { bootstrap: { database: 'other' } },
    ],
    ['spec.replicas: Invalid value: 0', { replicas: 0 }],
  ])('line 12: does not change: %s', async (message, change) => {
    const answer = await server.triedUpdate(database, 'changing', { ...before, ...change });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain(message);
  });

  test('an invalid size has one error', async () => {
    const storage = { ...before.storage, size: '1GB' };
    const { body } = await server.triedUpdate(database, 'changing', { ...before, storage });
    expect(body.message).toBe(
      'Database.reconstruct.dev "changing" is invalid: spec.storage.size: Invalid value: "1GB": must be a size, such as 500Mi or 10Gi',
    );
  });

  test.each<readonly [what: string, change: object]>([
    ['grows', { storage: { size: '2048Mi', storageClassName: 'fast' } }],
    [
      'takes back a size, which the controller compares with the volumes',
      { storage: { size: '512Mi', storageClassName: 'fast' } },
    ],
    ['is written in another unit', { storage: { size: '1024Mi', storageClassName: 'fast' } }],
    ['gets replicas', { replicas: 5 }],
    ['gives up its backups', { backup: undefined, deletionPolicy: 'Delete' }],
    ['grows the volume of its backups', { backup: { target: { volume: { size: '3Gi' } } } }],
    ['takes back the size of the volume of its backups', { backup: { target: { volume: { size: '1Gi' } } } }],
  ])('%s', async (_what, change) => {
    const answer = await server.triedUpdate(database, 'changing', { ...before, ...change });
    expect(answer.body.message).toBeUndefined();
  });
});

describe('kubectl', () => {
  const kubectl = (...words: string[]) => givenControlPlane().kubectl(['-n', 'default', ...words]);
  beforeAll(() => server.create(database, { metadata: { name: 'shown' }, spec: least }));
  afterAll(() => server.remove(database, 'shown'));

  test('the columns show readiness, the primary, the version and the age of the last verified backup', async () => {
    const lastVerified = new Date(Date.now() - 3 * 3_600_000 - 5000).toISOString();
    const status = { ready: '3/3', primary: 'shown-2', version: '15.20', backup: { lastVerified } };
    await server.applyStatus(database, 'shown', 'operator', status);
    const { stdout } = await kubectl('get', 'db', 'shown');
    const [titles = '', row = ''] = stdout.split('\n');
    expect(titles.split(/\s+/)).toEqual(['NAME', 'READY', 'PRIMARY', 'VERSION', 'BACKUP', 'AGE']);
    expect(row.split(/\s+/).slice(0, 5)).toEqual(['shown', '3/3', 'shown-2', '15.20', '3h']);
  });

  test('line 12: scales to one or more instances, not to 0', async () => {
    expect((await kubectl('scale', 'db', 'shown', '--replicas=5')).code).toBe(0);
    const { code, stderr } = await kubectl('scale', 'db', 'shown', '--replicas=0');
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'must be at least 1, so that an instance keeps the data; use 1 or more, or delete the Database',
    );
  });
});

describe('the status of a DatabaseBackup', () => {
  const archive = { ...bucket.target.s3, region: 'us-east-1', path: '/shop/orders', uriStyle: 'Path' };
  beforeAll(() => server.create(databaseBackup, { metadata: { name: 'told' }, spec: { database: 'orders' } }));
  afterAll(() => server.remove(databaseBackup, 'told'));
  const told = async (change: object) =>
    (await server.applyStatus(databaseBackup, 'told', 'operator', { archive: change })).body.message;

  test('the status names the archive', async () => {
    expect(await told({ s3: { ...archive, endpoint: '10.0.0.1:7070' } })).toBeUndefined();
    expect(await told({ volume: { claimName: 'orders-repo' } })).toBeUndefined();
  });

  test.each<readonly [field: string, value: unknown, message: string]>([
    ['endpoint', 'h:8008\ncmd=/bin/touch\n', 'must be a host without https:// and without a path'],
    ['path', '/a\nlog-level-console=trace\n[global:restore]', 'should match'],
    ['path', undefined, 'Required value'],
    ['bucket', '../x\ninjected=1', 'should match'],
    ['region', 'a\nb', 'should match'],
    ['secretRef', { name: 'a\nb' }, 'should match'],
  ])('takes no %s that is none: %j', async (field, value, message) => {
    const answer = await told({ s3: { ...archive, [field]: value } });
    expect(answer).toContain(`status.archive.s3.${field}`);
    expect(answer).toContain(message);
  });

  test('takes no volume that is none', async () => {
    expect(await told({ volume: { claimName: 'a\nb' } })).toContain('status.archive.volume.claimName: Invalid value');
  });
});

test('a DatabaseBackup names a Database, and not another one later', async () => {
  const metadata = { name: 'by-hand' };
  const { body } = await server.create(databaseBackup, { metadata, spec: { database: 'orders' } });
  expect(body.spec).toEqual({ database: 'orders', type: 'Full', origin: 'Manual' });
  const answer = await server.triedUpdate(databaseBackup, 'by-hand', { database: 'other' });
  expect(answer.body.message).toContain('spec.database: Invalid value: "other": is immutable');
  await server.remove(databaseBackup, 'by-hand');
});
