import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Container } from './container.js';
import { begin, crash, GivenDatabase, impatient, query, work } from './given-database.js';
import { absence, type Containers, Kubelet } from './kubelet.js';

const absent = absence();
if (absent !== undefined) console.warn(`how the last backup of a Database is closed is not tried out: ${absent}`);

const bin = '/usr/lib/postgresql/15/bin';
const data = '/var/lib/postgresql/pgdata';
/** The setting in Patroni's file, which the next start of the server reads. */
const archiving = "archive_command = 'pgbackrest --stanza=orders --io-timeout=5 archive-push %p'";
const prepared = '-c max_prepared_transactions=2 -c wal_level=logical -c listen_addresses= -c archive_mode=on';

describe.skipIf(absent)('line 8: the last backup of a Database is closed', () => {
  let kubelet: Kubelet;
  let orders: GivenDatabase;
  let repository: Containers;
  let instance: Container;

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    orders = await GivenDatabase.of('orders', { backup: { target: { volume: {} } } });
    repository = await kubelet.pod(orders.repository, orders.objects());
    const pod = await kubelet.pod(orders.pod, orders.objects());
    for (const one of [repository, pod]) await one.named('pgbackrest').serve('pgbackrest', 'server');
    instance = pod.named('postgres');
    await begin(instance, orders);
    await query(instance, 'CREATE TABLE counted (row int)');
    await instance.must('sh', '-c', `echo "${archiving}" >> ${data}/postgresql.conf`);
    await work(kubelet, orders.worker('make'), orders.objects());
  });
  afterAll(async () => {
    if (instance) await crash(instance);
    await kubelet?.[Symbol.asyncDispose]();
  });

  const closing = async () => (await work(kubelet, orders.worker('close'), orders.objects(), impatient)).said;
  const add = (row: number) => query(instance, `INSERT INTO counted VALUES (${row})`);
  const control = (...what: readonly string[]) =>
    instance.must(`${bin}/pg_ctl`, `--pgdata=${data}`, '--log=/tmp/postgresql.log', '--wait', ...what);
  const startAgain = () => control(`--options=${prepared} -c unix_socket_directories=/run/postgresql`, 'start');
  /** Files of the log that the archive has. */
  const archived = async () => {
    const found = await repository.named('pgbackrest').must('find', '/var/lib/pgbackrest/archive', '-name', '0*-*');
    return found.split('\n').filter((line) => /\/[0-9A-F]{24}-/.test(line)).length;
  };

  test('of one that stopped in peace: it did all of it itself', async () => {
    await add(1);
    await control('--mode=fast', 'stop');
    const before = await archived();
    expect(await closing()).toEqual({ closed: true, stop: expect.stringMatching(/^0\/[0-9A-F]+$/) });
    expect(await archived()).toBe(before);
  });

  test('of one that was killed: what it had not archived is archived', async () => {
    await startAgain();
    await query(instance, "SELECT pg_create_logical_replication_slot('kept', 'test_decoding')");
    await query(instance, "BEGIN; INSERT INTO counted VALUES (2); PREPARE TRANSACTION 'kept'");
    await add(3);
    await control('--mode=immediate', 'stop');
    const before = await archived();
    expect(await closing()).toMatchObject({ closed: true });
    expect(await archived()).toBeGreaterThan(before);
    await startAgain();
    await query(instance, "COMMIT PREPARED 'kept'");
    expect(await query(instance, "SELECT string_agg(row::text, ' ' ORDER BY row) FROM counted")).toBe('1 2 3');
  });

  test('not while its instance runs', async () => {
    await instance.must('sh', '-c', 'exec 9<>/var/lib/postgresql/.instance; flock 9; sleep 30 9<&9 >/dev/null 2>&1 &');
    expect(await closing()).toEqual({ problem: 'the instance still runs' });
    await instance.must('pkill', '--exact', 'sleep');
  });

  test('not of a replica', async () => {
    await control('--mode=fast', 'stop');
    await instance.must('touch', `${data}/standby.signal`);
    expect(await closing()).toEqual({
      problem: 'the instance was a replica when it stopped, so another instance may have more writes',
    });
    await instance.must('rm', `${data}/standby.signal`);
  });

  test('not while the archive is away', async () => {
    await startAgain();
    await add(4);
    await control('--mode=immediate', 'stop');
    await repository.end();
    const { problem } = await closing();
    expect(problem).toMatch(/^the archive does not accept the end of the log: orders-repo\S* does not respond; /);
  });
});
