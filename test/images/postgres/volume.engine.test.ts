import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bootstrapOf } from '../../../operator/controllers/database/bootstrap.js';
import { archiveOf } from '../../../operator/controllers/database-backup/archive.js';
import type { LivePersistentVolumeClaim } from '../../../operator/runtime/index.js';
import type { RestoreSource } from '../../../src/index.js';
import { live } from '../../given.js';
import { givenBackup, givenDatabase } from '../../operator/controllers/database-backup/given-backup.js';
import type { Container } from './container.js';
import { archived, begin, crash, GivenDatabase, impatient, query, secret, work } from './given-database.js';
import { absence, type Containers, Kubelet } from './kubelet.js';
import { keys } from './object-store-program.js';

const absent = absence();
if (absent !== undefined) console.warn(`backups to a volume are not tried out: ${absent}`);

const backup = { target: { volume: {} } };
const s3 = {
  target: { s3: { endpoint: 'store.example.com', bucket: 'backups', secretRef: { name: 'bucket' } } },
};
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'orders-repo' }, spec: {} } as const;

describe.skipIf(absent)('a Database that is backed up to a volume', () => {
  let kubelet: Kubelet;
  let orders: GivenDatabase;
  let pods: readonly Containers[];
  let instance: Container;
  let label: string;
  const begun: Container[] = [];

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    orders = await GivenDatabase.of('orders', { backup });
    const repository = await kubelet.pod(orders.repository, orders.objects());
    const pod = await kubelet.pod(orders.pod, orders.objects());
    pods = [repository, pod];
    instance = pod.named('postgres');
    for (const one of pods) await one.named('pgbackrest').serve('pgbackrest', 'server');
    begun.push(instance);
    await begin(instance, orders);
    await query(instance, 'CREATE DATABASE app');
    await query(instance, 'CREATE TABLE counted AS SELECT generate_series(1, 1000) AS row', 'app');
  });
  afterAll(async () => {
    for (const container of begun) await crash(container);
    await kubelet?.[Symbol.asyncDispose]();
  });

  test('line 6: has its backup made and its log archived, by its own certificate', async () => {
    const { said } = await work(kubelet, orders.worker('make'), orders.objects());
    label = said.label;
    expect(said.instance).toBe('orders-1');
    await query(instance, 'INSERT INTO counted VALUES (1001)', 'app');
    await archived(instance);
    expect(await query(instance, 'SELECT last_failed_wal IS NULL FROM pg_stat_archiver')).toBe('t');
    expect((await work(kubelet, orders.worker('verify', { label }), orders.objects())).said).toMatchObject({
      good: true,
    });
  });

  test('line 6: a client with another certificate cannot read its data', async () => {
    const stranger = await GivenDatabase.of('orders', { backup });
    const { said } = await work(kubelet, stranger.worker('make'), stranger.objects());
    expect(said.problem).toMatch(/presents an untrusted certificate/);
  });

  test('line 6: a backup says that an earlier try still runs', async () => {
    // As pgBackRest holds it.
    const lock = '/tmp/pgbackrest/orders-backup.lock';
    const server = pods[1]?.named('pgbackrest');
    await server?.serve('sh', '-c', `exec 9>>${lock}; flock 9; exec sleep 30`);
    await vi.waitFor(async () => expect((await server?.run('flock', '--nonblock', lock, 'true'))?.code).toBe(1), {
      timeout: 120_000,
    });
    const { said } = await work(kubelet, orders.worker('make', { backup: 'next' }), orders.objects());
    expect(said.problem).toMatch(/^an earlier attempt still runs, or was killed .*; pgbackrest failed: .*orders-1/);
  });

  test('line 7: another one of its name does not begin on the archive that it has used', async () => {
    const again = await kubelet.pod(orders.pod, orders.objects());
    const container = again.named('postgres');
    const { code, stderr } = await container.run('begin', '--scope=orders', '--datadir=/var/lib/postgresql/another');
    expect(code).not.toBe(0);
    const why = 'the archive orders is already in use: it has 1 backups of another database; give this Database';
    expect(await container.said()).toContain(why);
    expect(stderr).toContain(why);
    await expect(container.must('test', '-e', '/var/lib/postgresql/another')).rejects.toThrow();
  });

  test('line 7: an archive that cannot be asked is taken for used', async () => {
    const alone = await GivenDatabase.of('alone', { backup });
    const pod = await kubelet.pod(alone.pod, alone.objects());
    const line = ['begin', '--scope=alone', '--datadir=/var/lib/postgresql/pgdata'];
    const { code } = await pod.named('postgres').run('env', `${impatient.name}=${impatient.value}`, ...line);
    expect(code).not.toBe(0);
    const why =
      /^host (alone-repo\.alone-members\.shop\.svc) does not exist; the archive alone cannot be read .* in use: .*\1/;
    expect(await pod.named('postgres').said()).toMatch(why);
  });

  test.each(['verify', 'expire'] as const)(
    'line 6: nothing is concluded from an archive that is away: %s',
    async (task) => {
      const away = await GivenDatabase.of('away', { backup: s3 });
      const objects = away.objects(secret('bucket', keys));
      const { said } = await work(kubelet, away.worker(task, { label }), objects, impatient);
      expect(said).toEqual({
        problem: expect.stringMatching(/^host store.example.com does not exist; the archive cannot/),
      });
    },
  );

  describe('and is gone', () => {
    let carts: GivenDatabase;
    let other: Container;

    beforeAll(async () => {
      await crash(instance);
      for (const pod of pods) await pod.end();
      const restored = beginning();
      carts = await GivenDatabase.of('carts', { deletionPolicy: 'Delete' }, restored);
      const archive = await kubelet.pod(carts.archive('orders-repo'), carts.objects());
      await archive.named('pgbackrest').serve('pgbackrest', 'server');
      other = (await kubelet.pod(carts.pod, carts.objects())).named('postgres');
    });

    test('line 7: another one begins with its backup and all that was archived since, from its volume alone', async () => {
      begun.splice(0, 1, other);
      await begin(other, carts);
      expect(await query(other, 'SELECT count(*), max(row) FROM counted', 'app')).toBe('1001|1001');
    });

    test('line 7: and has the user and the password of its own', async () => {
      await other.must('furnish', 'host=/run/postgresql user=postgres dbname=postgres');
      expect(await query(other, "SELECT rolcanlogin FROM pg_roles WHERE rolname = 'app'")).toBe('t');
    });
  });

  /** What a Database `carts` finds that names the backup, when `orders` is not there any more. */
  function beginning(): RestoreSource | undefined {
    const restore = { from: { backup: 'nightly' } };
    const resource = givenDatabase({ bootstrap: { restore } }, { meta: { name: 'carts' }, status: {} });
    const archives = [live(claim) as unknown as LivePersistentVolumeClaim];
    const status = { label, archive: archiveOf(orders.resource) };
    return bootstrapOf(resource, { sources: [], archives, backup: givenBackup('nightly', { status }) });
  }
});
