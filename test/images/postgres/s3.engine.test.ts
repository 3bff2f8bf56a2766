import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DatabaseSpec } from '../../../imports/index.js';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { bootstrapOf } from '../../../operator/controllers/database/bootstrap.js';
import { archiveOf } from '../../../operator/controllers/database-backup/archive.js';
import { assess } from '../../../operator/controllers/database-backup/assess.js';
import type { BackupView } from '../../../operator/controllers/database-backup/view.js';
import type { LivePod } from '../../../operator/runtime/index.js';
import { factsOf } from '../../../operator/testing/index.js';
import type { RestoreSource } from '../../../src/index.js';
import { givenBackup, givenDatabase } from '../../operator/controllers/database-backup/given-backup.js';
import type { Container } from './container.js';
import { archived, begin, crash, GivenDatabase, impatient, query, secret, work } from './given-database.js';
import { absence, Kubelet } from './kubelet.js';
import { ObjectStore } from './object-store.js';
import { keys } from './object-store-program.js';

const absent = absence();
if (absent !== undefined) console.warn(`backups to a bucket are not tried out: ${absent}`);

const host = 'store.example.com';
const s3 = { endpoint: `${host}:9000`, bucket: 'backups', region: 'us-east-1', uriStyle: 'Path' as const };
const target = { s3: { ...s3, secretRef: { name: 'bucket' } } };

describe.skipIf(absent)('a Database that is backed up to a bucket', () => {
  let kubelet: Kubelet;
  let store: ObjectStore;
  let orders: GivenDatabase;
  let instance: Container;
  let authority: CertificateAuthority;
  let foreign: CertificateAuthority;
  let label: string;
  let moment: string;
  const bucket = (texts: object = {}) => secret('bucket', { ...keys, 'ca.crt': authority.own.certificate, ...texts });
  const worked = (...of: Parameters<GivenDatabase['worker']>) =>
    work(kubelet, orders.worker(...of), orders.objects(bucket()));
  const add = (row: number) => query(instance, `INSERT INTO counted VALUES (${row})`, 'app');

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    [authority, foreign] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()]);
    const certified = await authority.issue({ commonName: host, hosts: [host] });
    store = await ObjectStore.start(kubelet, { host, certified, bucket: 'backups' });
    orders = await GivenDatabase.of('orders', { backup: { target, retention: { full: 1 } } });
    const pod = await kubelet.pod(orders.pod, orders.objects(bucket()));
    instance = pod.named('postgres');
    await begin(instance, orders);
    await pod.named('pgbackrest').serve('pgbackrest', 'server');
    await query(instance, 'CREATE DATABASE app');
    await query(instance, 'CREATE TABLE counted (row int)', 'app');
    // On a new machine the store is compiled first.
  }, 600_000);
  afterAll(async () => {
    if (instance) await crash(instance);
    await store?.end();
    await kubelet?.[Symbol.asyncDispose]();
  });

  test('line 6: has its backup made there, and its log archived', async () => {
    await add(1);
    const { said } = await worked('make');
    expect(said).toMatchObject({ label: expect.stringMatching(/^\d{8}-\d{6}F$/), timeline: 1 });
    label = said.label;
    await add(2);
    moment = await query(instance, 'SELECT now()');
    await add(3);
    await archived(instance);
    expect(await query(instance, 'SELECT last_failed_wal IS NULL FROM pg_stat_archiver')).toBe('t');
  });

  test('line 6: has it restored from there, and read', async () => {
    const { said } = await worked('verify', { label });
    expect(said).toMatchObject({ good: true });
  });

  /** An instance that is to begin with the backup, as it was at a moment. */
  async function asItWas(name: string, targetTime: string) {
    const restore = { from: { backup: 'nightly' }, targetTime: new Date(targetTime).toISOString() };
    const carts = givenDatabase({ bootstrap: { restore } }, { meta: { name }, status: {} });
    const backup = givenBackup('nightly', { status: { label, archive: archiveOf(orders.resource) } });
    return beginner(name, bootstrapOf(carts, { sources: [], archives: [], backup }));
  }
  /** One that is to begin with all that the bucket has. */
  async function asItIs(name: string, { targetTime, texts }: { targetTime?: string; texts?: object } = {}) {
    const restore = { from: { archive: { database: 'orders', ...target } }, ...(targetTime && { targetTime }) };
    const users = givenDatabase({ bootstrap: { restore } }, { meta: { name }, status: {} });
    return beginner(name, bootstrapOf(users, { sources: [], archives: [], backup: undefined }), texts);
  }
  async function beginner(name: string, restored: RestoreSource | undefined, texts?: object) {
    const given = await GivenDatabase.of(name, { deletionPolicy: 'Delete' }, restored);
    const pod = await kubelet.pod(given.pod, given.objects(bucket(texts)));
    return { given, other: pod.named('postgres') };
  }
  const rows = (of: Container) => query(of, 'SELECT array_agg(row ORDER BY row) FROM counted', 'app');

  test('line 7: another one begins with it as it was at a moment, when the first is gone', async () => {
    const { given, other } = await asItWas('carts', moment);
    try {
      await begin(other, given);
      expect(await rows(other)).toBe('{1,2}');
    } finally {
      await crash(other);
    }
  });

  test('line 7: or once the archive tells of a later moment, where it does not yet', async () => {
    const { given, other } = await asItWas('later', await query(instance, 'SELECT now()'));
    try {
      const begun = begin(other, given);
      const waits = async () => expect(await rows(other)).toBe('{1,2,3}');
      await vi.waitFor(waits, { timeout: 120_000, interval: 500 });
      await add(4);
      expect(await query(other, 'SELECT pg_is_in_recovery()')).toBe('t');
      await archived(instance);
      await begun;
      expect(await rows(other)).toBe('{1,2,3}');
    } finally {
      await crash(other);
    }
  });

  test('line 7: and tells why it has none, where it cannot be read', async () => {
    const { given, other } = await asItWas('unread', await query(instance, 'SELECT now()'));
    const mend = await store.spoil(/\/archive\/.*\/0000000100000000\/.*\.gz$/);
    const unread = () => other.must('cat', '/var/lib/postgresql/.unread');
    try {
      const ended = begin(other, given).then(
        () => 'begun',
        () => 'ended',
      );
      await vi.waitFor(async () => expect(await unread()).toMatch(/ERROR/), { timeout: 120_000, interval: 500 });
      await mend();
      await vi.waitFor(() => expect(unread()).rejects.toThrow(/No such file/), { timeout: 120_000, interval: 500 });
      await query(instance, 'SELECT pg_current_xact_id()');
      await archived(instance);
      expect(await ended).toBe('begun');
      expect(await rows(other)).toBe('{1,2,3,4}');
    } finally {
      await mend();
      await crash(other);
    }
  });

  test('line 7: another one begins with all that was written, where nothing is left but the bucket', async () => {
    const { given, other } = await asItIs('users');
    try {
      await begin(other, given);
      expect(await rows(other)).toBe('{1,2,3,4}');
    } finally {
      await crash(other);
    }
  });

  test('line 7: but not with less than there is, where a part of it cannot be read', async () => {
    const { given, other } = await asItIs('fewer');
    const mend = await store.spoil(/\/archive\/.*\/0000000100000000\/.*\.gz$/);
    try {
      await expect(begin(other, given)).rejects.toThrow(/could not start server|psql/);
      expect(await other.said()).toMatch(/^the archive has more to restore but cannot be read: .*code \d+: .*ERROR/s);
    } finally {
      await mend();
    }
  });

  test('line 7: nor where a part of it is missing', async () => {
    const furnish = ['furnish', 'host=/run/postgresql user=postgres dbname=postgres'];
    const { given, other } = await asItIs('torn');
    await add(5);
    await archived(instance);
    await add(6);
    await archived(instance);
    const mend = await store.lose(/\/archive\/.*\/0000000100000000\/.*\.gz$/, -2);
    try {
      await begin(other, given);
      expect(await rows(other)).toBe('{1,2,3,4}');
      await expect(other.must(...furnish)).rejects.toThrow(
        /the archive has a gap: its last file is 0000000100000000.{8}, and one is missing at 0\/.* of timeline 1; to restore/,
      );
    } finally {
      await mend();
      await crash(other);
    }
    const whole = await asItIs('whole');
    try {
      await begin(whole.other, whole.given);
      await whole.other.must(...furnish);
      expect(await rows(whole.other)).toBe('{1,2,3,4,5,6}');
    } finally {
      await crash(whole.other);
    }
  });

  const early = '2020-01-01T00:00:00Z';
  const untrusted =
    /^store\.example\.com:9000 presents an untrusted certificate; .*; pgbackrest failed: (?!.*create one)/s;
  test.each([
    {
      ...{ what: 'a moment before the first backup', targetTime: early },
      why: /^targetTime must be later than the end of the first backup, 20[-\d]{8}T[:\d]{8}Z: .*skip-final-snapshot=true,.*\[075\]/s,
    },
    { what: 'a certificate that nobody trusts', foreigner: true, why: untrusted },
    { what: 'neither a trusted one nor an early backup', foreigner: true, targetTime: early, why: untrusted },
  ])('line 7: says what keeps another one from it: $what', async ({ targetTime, foreigner, why }) => {
    const texts = foreigner ? { 'ca.crt': foreign.own.certificate } : {};
    const { other } = await asItIs('kept', { ...(targetTime && { targetTime }), texts });
    const line = ['begin', '--scope=kept', `--datadir=/var/lib/postgresql/pgdata`];
    const { code } = await other.run('env', `${impatient.name}=${impatient.value}`, ...line);
    expect(code).not.toBe(0);
    expect(await other.said()).toMatch(why);
  });

  test('line 6: keeps as many backups there as its retention says, and lets one go that is deleted', async () => {
    const { said } = await worked('make', { backup: 'next' });
    const info = async () => {
      const [stanza] = JSON.parse(await instance.must('pgbackrest', '--output=json', 'info'));
      return stanza.backup.map((one: { label: string }) => one.label);
    };
    expect(await info()).toEqual([said.label]);
    expect((await worked('expire', { label })).said).toEqual({ expired: true });
    const { said: third } = await worked('make', { backup: 'third' });
    expect(third.label > said.label).toBe(true);
    expect(await info()).toEqual([third.label]);
  });

  test.each<{ what: string; why: RegExp; spec?: () => Partial<DatabaseSpec['backup']>; texts?: () => object }>([
    {
      what: 'a wrong key',
      why: /the object store rejects the keys in the Secret of the bucket/,
      texts: () => ({ secretAccessKey: 'a' }),
    },
    {
      what: 'a key that nobody knows',
      why: /the object store rejects the keys/,
      texts: () => ({ accessKeyId: 'nobody' }),
    },
    {
      ...{
        what: 'a certificate that nobody trusts',
        why: /store.example.com:9000 .* ca\.crt to the Secret of the bucket/,
      },
      texts: () => ({ 'ca.crt': foreign.own.certificate }),
    },
    { what: 'a bucket that is not there', why: /the bucket does not exist/, spec: () => at({ bucket: 'elsewhere' }) },
    {
      what: 'a host that nobody knows',
      why: /host nobody.example.com does not exist/,
      spec: () => at({ endpoint: 'nobody.example.com' }),
    },
    { what: 'a port where nobody is', why: /does not respond/, spec: () => at({ endpoint: `${host}:9001` }) },
  ])('line 6: says in a condition what is to be mended: $what', async ({ why, spec, texts }) => {
    const { backup } = orders.spec;
    const wrong = orders.but({ ...(backup && { backup: { ...backup, ...spec?.() } }) });
    const { told } = await work(kubelet, wrong.worker('make'), wrong.objects(bucket(texts?.())), impatient);
    expect(saidOf(told, wrong)).toMatch(why);
  });
});

const at = (change: object) => ({ target: { s3: { ...target.s3, ...change } } });

/** The message of the condition `Made`, of a backup whose worker ended so. */
function saidOf(pod: LivePod, database: GivenDatabase): string {
  const named = { ...pod, metadata: { ...pod.metadata, name: 'nightly-make-1' } };
  const backup = givenBackup('nightly');
  const reads = { database: database.resource, siblings: [backup] };
  const facts = factsOf(backup, { owned: [named], reads, now: new Date() }) as unknown as BackupView;
  const made = assess(facts).conditions.Completed;
  return `${made?.reason}: ${made?.message}`;
}
