import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import type { DatabaseSpecInput } from '../../../../imports/index.js';
import {
  archiveConfig,
  type BackupSource,
  instanceConfig,
  repositoryConfig,
  restoreArguments,
  restoreConfig,
  serverConfig,
} from '../../../../src/database/config/pgbackrest-config.js';
import { bootstrapConfig } from '../../../../src/database/objects/settings.js';

type Target = NonNullable<DatabaseSpecInput['backup']>['target'];
const s3 = { endpoint: 'minio.shop:9000', bucket: 'backups', secretRef: { name: 'keys' } };

function given(target: Target = { volume: {} }) {
  const { backup } = withDefaults(databaseSpec, { storage: { size: '1Gi' }, backup: { target } });
  if (!backup) throw new Error('the spec has lost its backup');
  return { name: 'orders', namespace: 'shop', backup } satisfies BackupSource;
}

/** The options of a section by name. */
function options(text: string, section: string): Readonly<Record<string, string>> {
  const [, body = ''] =
    text
      .split(/^\[/m)
      .map((part) => part.split(']\n'))
      .find(([name]) => name === section) ?? [];
  return Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/).slice(0, 2)),
  );
}

const host = (pod: string) => `${pod}.orders-members.shop.svc`;

describe('line 6: an instance', () => {
  test('pushes its log to the pod that has the volume, and shows its certificate', () => {
    expect(options(instanceConfig(given()), 'global')).toMatchObject({
      'repo1-host': host('orders-repo'),
      'repo1-host-type': 'tls',
      'repo1-host-cert-file': '/etc/reconstruct/tls/tls.crt',
    });
  });

  test('pushes it to the bucket itself where there is one', () => {
    const global = options(instanceConfig(given({ s3 })), 'global');
    expect(global).toMatchObject({
      'repo1-type': 's3',
      'repo1-s3-endpoint': 'minio.shop',
      'repo1-storage-port': '9000',
      'repo1-s3-uri-style': 'path',
      'repo1-path': '/shop/orders',
    });
    expect(global).not.toHaveProperty('repo1-host');
  });

  test('leaves the port of the bucket out where the endpoint has none, and takes its path', () => {
    const named = given({ s3: { ...s3, endpoint: 's3.eu-central-1.amazonaws.com', path: '/here' } });
    const global = options(instanceConfig(named), 'global');
    expect(global['repo1-path']).toBe('/here');
    expect(global).not.toHaveProperty('repo1-storage-port');
  });

  test('lets those in who have the certificate of this Database, for its own backups', () => {
    expect(options(serverConfig(given()), 'global')['tls-server-auth']).toBe('orders=orders');
  });

  test('serves its data without a word of the archive, whose keys are not there', () => {
    expect(serverConfig(given({ s3 }))).not.toMatch(/repo1/);
    expect(options(serverConfig(given()), 'orders')['pg1-path']).toBe('/var/lib/postgresql/pgdata');
  });
});

describe('line 6: the repository', () => {
  const text = repositoryConfig(given(), ['orders-1', 'orders-3']);

  test('reaches every instance', () => {
    expect(options(text, 'orders')).toMatchObject({
      'pg1-host': host('orders-1'),
      'pg2-host': host('orders-3'),
      'pg1-host-type': 'tls',
      'pg2-path': '/var/lib/postgresql/pgdata',
    });
  });

  test('keeps as many backups as are asked for, on its volume', () => {
    expect(options(text, 'global')).toMatchObject({ 'repo1-retention-full': '7', 'repo1-path': '/var/lib/pgbackrest' });
  });

  test.each([
    { instances: ['orders-1'], standby: undefined },
    { instances: ['orders-1', 'orders-2'], standby: 'y' },
  ])('takes the data from a replica where there may be one: $instances', ({ instances, standby }) => {
    expect(options(repositoryConfig(given(), instances), 'global')['backup-standby']).toBe(standby);
  });

  test('is the bucket where there is one', () => {
    const global = options(repositoryConfig(given({ s3 }), ['orders-1']), 'global');
    expect(global).toMatchObject({ 'repo1-type': 's3', 'repo1-path': '/shop/orders' });
  });
});

describe('line 7: the restoring Database', () => {
  test('shows the certificate of what is restored, not the own', () => {
    expect(options(restoreConfig(given()), 'global')).toMatchObject({
      'repo1-host': host('orders-repo'),
      'repo1-host-cert-file': '/etc/reconstruct/restore/tls/tls.crt',
    });
  });

  test('asks a Pod of its own, with its own certificate, where the Database that was backed up is gone', () => {
    const source = { ...given(), servedBy: 'carts' };
    const served = 'carts-archive.carts-members.shop.svc';
    expect(options(restoreConfig(source), 'global')).toMatchObject({
      'repo1-host': served,
      'repo1-host-cert-file': '/etc/reconstruct/tls/tls.crt',
    });
    // It shows the other one's backups to nobody else.
    expect(options(archiveConfig({ name: 'carts', namespace: 'shop' }, source), 'global')).toMatchObject({
      'tls-server-auth': 'carts=orders',
      'repo1-path': '/var/lib/pgbackrest',
    });
  });

  test.each([
    { of: 'all that was archived', asked: {}, args: [] },
    {
      of: 'one backup, and all that was archived since',
      asked: { backup: '20261121-030000F' },
      args: ['--set=20261121-030000F'],
    },
    {
      of: 'a moment',
      asked: { targetTime: '2026-11-21T14:00:00.25+01:00' },
      args: ['--type=time', '--target=2026-11-21 13:00:00.250+00', '--target-action=promote'],
    },
  ])('gets $of', ({ asked, args }) => {
    expect(restoreArguments({ from: 'orders', ...asked })).toEqual(['--stanza=orders', ...args]);
  });
});

test.each([instanceConfig(given({ s3 })), repositoryConfig(given({ s3 }), ['orders-1']), restoreConfig(given({ s3 }))])(
  'no configuration has a key of the bucket',
  (text) => expect(text).not.toMatch(/s3-key/),
);

test.each([
  ['endpoint', 'h:8008\ncmd=/bin/touch\n', 'repo1-storage-port=8008\\ncmd=/bin/touch\\n'],
  ['path', '/a\nlog-level-console=trace\n[global:restore]', 'repo1-path=/a\\nlog-level-console=trace'],
  ['bucket', '../x\rinjected=1', 'repo1-s3-bucket=../x\\rinjected=1'],
])('an option of several lines is never written: %s', (field, value, shown) => {
  const source = given({ s3 });
  const injected = { ...source, backup: { target: { s3: { ...source.backup.target.s3, [field]: value } } } };
  expect(() => restoreConfig(injected as BackupSource)).toThrow(
    `pgbackrest.conf must have one line for each option, got "${shown}`,
  );
});

describe('begin.json', () => {
  const spec = withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Delete' });

  test.each([
    { begins: 'empty', restoration: undefined, restore: null },
    { begins: 'with a backup', restoration: { from: 'old' }, restore: ['--stanza=old'] },
  ])('a Database begins $begins', ({ restoration, restore }) => {
    expect(JSON.parse(bootstrapConfig(spec, restoration))).toEqual({
      database: 'app',
      owner: 'app',
      initSql: false,
      archive: false,
      restore,
    });
  });

  test('line 7: each instance first checks whether the archive is in use', () => {
    const { backup } = given();
    expect(JSON.parse(bootstrapConfig({ ...spec, ...(backup && { backup }) }))).toMatchObject({ archive: true });
  });
});
