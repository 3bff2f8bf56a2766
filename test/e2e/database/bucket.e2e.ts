import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseSpecInput } from '../../../imports/index.js';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { keys } from '../../images/postgres/object-store-program.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { startStore, storeHost } from './given/store-pod.js';
import { isGood, TriedBackup } from './given/tried-backup.js';
import { is, isWell, said, small, TriedDatabase } from './given/tried-database.js';

const namespace = givenNamespace('bucket');
/** The one that is lost with all that is in it. */
const lost = `${namespace}-lost`;
const alone: DatabaseSpecInput = { ...small, replicas: 1, synchronous: { mode: 'None' } };
const s3 = {
  ...{ endpoint: `${storeHost(namespace)}:9000`, bucket: 'backups', region: 'us-east-1', path: '/shop/orders' },
  ...{ uriStyle: 'Path' as const, secretRef: { name: 'backups' } },
};
const saved: DatabaseSpecInput = {
  ...alone,
  deletionPolicy: 'Snapshot',
  backup: { schedule: '0 3 1 1 *', verify: 'Never', target: { s3 } },
};

describe('a Database that is backed up to a bucket', () => {
  const orders = new TriedDatabase(lost, 'orders', saved);
  let trusted: Readonly<Record<string, string>>;
  const bucketSecret = (metadata: object, texts: object = {}) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { ...keys, ...trusted, ...texts } },
  });

  beforeAll(async () => {
    const authority = await CertificateAuthority.create();
    trusted = { 'ca.crt': authority.own.certificate };
    const host = storeHost(namespace);
    await startStore(namespace, await authority.issue({ commonName: host, hosts: [host] }), s3.bucket);
    await kubectl(['create', 'namespace', lost]);
    await applied(bucketSecret({ name: 'backups', namespace }), bucketSecret({ name: 'backups', namespace: lost }));
    await orders.begin();
  });

  afterAll(async () => {
    // There is none unless a test has failed.
    await kubectl(['--namespace', lost, 'annotate', 'db', '--all', 'reconstruct.dev/skip-final-snapshot=true']);
    await kubectl(['delete', 'namespace', lost, '--ignore-not-found', '--wait=false']);
  });

  test('line 6: one that a person asks for is made there, restored from there and found good', async () => {
    const byHand = new TriedBackup(orders, 'by-hand');
    const asked = Date.now();
    await byHand.make({ isVerified: true });
    await byHand.until('it is good', isGood, 180);
    figure(6, `to a bucket: made and verified in ${seconds(asked, Date.now())}`);
    const isKnown: typeof isWell = (database) =>
      database.status?.backup?.lastVerified !== undefined && said(database, 'Archived').startsWith('Archiving');
    await orders.until('it knows that, and its log gets there', isKnown);
  });

  test('line 8: a Database is deleted with its namespace, and the bucket has every row', async () => {
    await orders.sql("INSERT INTO numbers SELECT 'last', n FROM generate_series(1, 1000) AS n");
    const deleted = Date.now();
    await kubectl(['delete', 'namespace', lost, '--timeout=180s']);
    figure(8, `gone with its namespace in ${seconds(deleted, Date.now())}`);
    const restore = { from: { archive: { database: 'orders', s3 } } };
    const restored = new TriedDatabase(namespace, 'restored', { ...alone, bootstrap: { restore } });
    const asked = Date.now();
    await restored.apply();
    await restored.until('it is ready', isWell, 240);
    figure(7, `restored from a bucket in ${seconds(asked, Date.now())}`);
    expect(await restored.sql("SELECT count(*) FROM numbers WHERE writer = 'last'")).toBe('1000');
    expect(await restored.sql('SELECT count(*) FROM beginnings')).toBe('1');
  });

  test('line 7: another one does not begin where that one is kept', async () => {
    const another = new TriedDatabase(namespace, 'orders', { ...saved, deletionPolicy: 'Delete' });
    await another.apply();
    await another.until('it says why', (database) => said(database, 'Provisioned').includes('is already in use'), 180);
    figure(7, said(await another.live(), 'Provisioned'));
    expect(is(await another.live(), 'Available')).toBe(false);
  });

  test('line 6: the status reports refused keys of the bucket', async () => {
    const { secretRef: _, ...rest } = s3;
    const target = { s3: { ...rest, path: '/shop/refused', secretRef: { name: 'refused' } } };
    await applied(bucketSecret({ name: 'refused', namespace }, { secretAccessKey: 'another' }));
    const refused = new TriedDatabase(namespace, 'refused', {
      ...alone,
      backup: { schedule: '0 3 1 1 *', verify: 'Never', target },
    });
    await refused.apply();
    const isTold = (database: Parameters<typeof said>[0]) =>
      /InstanceNotReady.*cannot be read/.test(said(database, 'Provisioned'));
    await refused.until('it says why', isTold, 180);
    figure(6, said(await refused.live(), 'Provisioned'));
  });
});
