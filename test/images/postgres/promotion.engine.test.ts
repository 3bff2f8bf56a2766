import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Container } from './container.js';
import { GivenDatabase, query } from './given-database.js';
import { absence, Kubelet } from './kubelet.js';

const absent = absence();
if (absent !== undefined) console.warn(`a primary that is promoted twice is not tried out: ${absent}`);

const bin = '/usr/lib/postgresql/15/bin';
const sockets = '/run/postgresql';
/** Two servers: where the image has its data, and another one beside it. */
const primary = { data: '/var/lib/postgresql/pgdata', port: 5432 };
const replica = { data: '/tmp/replica', port: 5433 };
/** As instances have it, backed up or not. */
const archive = ['archive_mode=on', 'archive_command=/bin/true'];
const program = `import importlib.machinery as m, sys; sys.path.insert(0, "/usr/local/bin")
m.SourceFileLoader("wrapper", "/usr/local/bin/patroni").load_module().whole()`;

describe.skipIf(absent)('a primary', () => {
  let kubelet: Kubelet;
  let instance: Container;

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    const orders = await GivenDatabase.of('orders', { deletionPolicy: 'Delete' });
    instance = (await kubelet.pod(orders.pod, orders.objects())).named('postgres');
  });
  afterAll(async () => {
    for (const server of [replica, primary]) await control(server, '--mode=immediate', 'stop').catch(() => {});
    await kubelet?.[Symbol.asyncDispose]();
  });

  /** Has `pg_ctl` do something with a server. */
  const control = ({ data }: typeof primary, ...what: readonly string[]) =>
    instance.must(`${bin}/pg_ctl`, `--pgdata=${data}`, `--log=${data}.log`, '--wait', ...what);
  const start = (server: typeof primary) => {
    const stated = [`port=${server.port}`, "listen_addresses=''", `unix_socket_directories=${sockets}`, ...archive];
    return control(server, `--options=${stated.map((one) => `-c ${one}`).join(' ')}`, 'start');
  };
  /** As Patroni makes one that crashed the primary again, if that had not been for long. */
  const promote = async () => {
    await control(primary, '--mode=immediate', 'stop');
    await instance.must('touch', `${primary.data}/standby.signal`);
    await start(primary);
    await control(primary, 'promote');
    await write();
  };
  const write = () => query(instance, 'INSERT INTO written DEFAULT VALUES');
  const states = () => query(instance, 'SELECT state FROM pg_stat_replication');

  test('line 2: a replica that missed two promotions within one WAL file follows the primary', async () => {
    await instance.must(`${bin}/initdb`, `--pgdata=${primary.data}`, '--username=postgres', '--auth=trust');
    await start(primary);
    await query(instance, 'CREATE TABLE written (at timestamptz DEFAULT now())');
    const source = `--dbname=host=${sockets} user=postgres`;
    await instance.must(`${bin}/pg_basebackup`, `--pgdata=${replica.data}`, '--write-recovery-conf', source);
    await start(replica);
    await vi.waitFor(async () => expect(await states()).toBe('streaming'), 120_000);
    await control(replica, '--mode=fast', 'stop');
    await write();
    await promote();
    await promote();
    await start(replica);
    // As it is without the image's help: this part tells when PostgreSQL needs it no more.
    const log = `${replica.data}.log`;
    const isRefused = async () => expect(await instance.must('cat', log)).toContain('has already been removed');
    await vi.waitFor(isRefused, 120_000);
    await instance.must('python3', '-B', '-c', program);
    await vi.waitFor(async () => expect(await states()).toBe('streaming'), 120_000);
    const count = 'SELECT count(*) FROM written';
    const there = () => instance.must('psql', `--port=${replica.port}`, '-Atc', count);
    await vi.waitFor(async () => expect(await there()).toBe('3\n'), 120_000);
    expect(await query(instance, "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'")).toBe('0');
  });
});
