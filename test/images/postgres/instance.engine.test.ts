import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { memberReport } from '../../../operator/engines/postgres/member-report.js';
import { parseYaml } from '../../../operator/yaml/parse-yaml.js';
import { serverParameters } from '../../../src/database/config/server-parameters.js';
import { passwordMarks } from '../../../src/index.js';
import type { Loose } from '../../given.js';
import type { Container } from './container.js';
import { crash, GivenDatabase, query } from './given-database.js';
import { absence, Kubelet } from './kubelet.js';

const absent = absence();
if (absent !== undefined) console.warn(`an instance is not tried out: ${absent}`);

const sql = 'CREATE TABLE greetings AS SELECT $$hello$$ AS word, session_user AS by;';
const init: Loose<object> = {
  ...{ kind: 'ConfigMap', metadata: { name: 'orders-init', namespace: 'shop' }, data: { 'init.sql': sql } },
};
const initSql = { configMapRef: { name: 'orders-init' } };

/** What the API server would hold for it, it keeps itself: everything else is as in a cluster. @returns what runs it */
async function patroniIn(container: Container, { name, drawn }: GivenDatabase): Promise<readonly string[]> {
  const { kubernetes: _, ...config } = parseYaml(await container.must('cat', '/etc/reconstruct/patroni.yaml'));
  const { superuser, replication, rewind } = drawn.passwords;
  const { authentication } = config.postgresql;
  authentication.superuser.password = superuser;
  authentication.replication.password = replication;
  authentication.rewind.password = rewind;
  const alone = { raft: { data_dir: '/tmp/raft', self_addr: '127.0.0.1:5010' }, name: `${name}-1` };
  const address = { connect_address: '127.0.0.1:5432' };
  const text = JSON.stringify({
    ...{ ...config, ...alone, postgresql: { ...config.postgresql, ...address } },
    restapi: { ...config.restapi, connect_address: 'localhost:8008' },
  });
  await container.must('sh', '-c', 'umask 077; printf %s "$1" >/tmp/patroni.json', 'sh', text);
  return ['patroni', '/tmp/patroni.json'];
}

describe.skipIf(absent)('an instance', () => {
  let kubelet: Kubelet;
  let instance: Container;
  let orders: GivenDatabase;

  beforeAll(async () => {
    kubelet = await Kubelet.start();
    orders = await GivenDatabase.of('orders', { deletionPolicy: 'Delete', bootstrap: { initSql } });
    instance = (await kubelet.pod(orders.pod, orders.objects(init))).named('postgres');
    await instance.serve('env', 'RECONSTRUCT_TENDED=0.2', ...(await patroniIn(instance, orders)));
    // It is a primary before its SQL has run, and ready after that.
    await vi.waitFor(() => asked('readiness'), { timeout: 120_000, interval: 500 });
    expect((await report()).role).toBe('primary');
  });
  afterAll(async () => {
    if (instance) await crash(instance);
    await kubelet?.[Symbol.asyncDispose]();
  });

  /** What it answers to a question of Patroni's API. @throws {Error} when that is no */
  function asked(path: string): Promise<string> {
    const asking = 'import ssl, sys, urllib.request as u; c = ssl.create_default_context(cafile=sys.argv[1])';
    const answering = `print(u.urlopen("https://localhost:8008/${path}", context=c).read().decode())`;
    return instance.must('python3', '-c', `${asking}; ${answering}`, '/etc/reconstruct/tls/ca.crt');
  }

  /** What it answers to the operator. */
  async function report() {
    return memberReport(await asked('patroni'));
  }

  test('line 1: begins with the SQL that its spec names, as the owner of its database', async () => {
    expect(await query(instance, 'SELECT word FROM greetings', 'app')).toBe('hello');
    expect(await query(instance, "SELECT tableowner FROM pg_tables WHERE tablename = 'greetings'", 'app')).toBe('app');
    expect(await query(instance, 'SELECT by FROM greetings', 'app')).toBe('app');
  });

  test('line 1: lets its owner in by the file that Patroni writes, once that SQL has run', async () => {
    const rules = "SELECT string_agg(type || ' ' || user_name[1], ', ' ORDER BY line_number) FROM pg_hba_file_rules";
    expect(await query(instance, rules)).toBe(
      'local postgres, local all, local replicator, hostssl replicator, hostssl all',
    );
  });

  test('line 1: exits with the reason why it cannot start', async () => {
    const carts = await GivenDatabase.of('carts', { deletionPolicy: 'Delete', bootstrap: { initSql } });
    const { code, stderr } = await other(carts, { ...init, data: { 'init.sql': 'SELEC 1;' } });
    expect(code).toBe(1);
    expect(stderr).not.toContain('Traceback');
    expect(stderr.trim().split('\n').slice(-3)).toEqual([
      'the init SQL failed: psql:/etc/reconstruct/init/init.sql:1: ERROR:  syntax error at or near "SELEC"',
      'LINE 1: SELEC 1;',
      '        ^',
    ]);
  });

  /** Another instance, run to its end. */
  async function other(database: GivenDatabase, ...objects: readonly Loose<object>[]) {
    const network = await Kubelet.start();
    try {
      const container = (await network.pod(database.pod, database.objects(...objects))).named('postgres');
      return await container.run(...(await patroniIn(container, database)));
    } finally {
      await network[Symbol.asyncDispose]();
    }
  }

  test('line 11: reports the usage of its volume', async () => {
    const figures = await instance.must('stat', '--file-system', '--format=%b %a', '/var/lib/postgresql');
    const [all = 0, left = 0] = figures.split(' ').map(Number);
    const used = Math.floor(100 * (1 - left / all));
    expect((await report()).usedPercent).toBe(used < 95 ? used - (used % 5) : used);
  });

  /** A file of the log waits for the archive since then, until the archiver finds that it does not exist. */
  function wait(name: string, since: number): Promise<string> {
    const status = '/var/lib/postgresql/pgdata/pg_wal/archive_status';
    return instance.must('touch', `--date=@${since}`, `${status}/${name}.ready`);
  }

  test('line 6: reports since when its log does not reach the archive, after one minute', async () => {
    const now = Math.floor(Date.now() / 1000);
    await wait('000000010000000000000098', now - 50);
    expect(await report()).not.toHaveProperty('unarchivedSince');
    await wait('000000010000000000000099', now - 70);
    expect((await report()).unarchivedSince).toBe(1000 * (now - 70));
  });

  /** Asks PostgreSQL as the owner of the database, by a password. */
  const asOwner = (password: string) =>
    instance.run('env', `PGPASSWORD=${password}`, 'psql', '--no-psqlrc', '-U', 'app', '-d', 'app', '-c', 'SELECT 1');
  /** What the operator expects of it while the Secrets have these passwords. */
  const marks = (passwords: object) =>
    passwordMarks({ ...orders.drawn.passwords, ...passwords }, orders.drawn.certified.server);

  test('line 18: sets a password of its Secrets that PostgreSQL does not have, also after an edit by hand', async () => {
    await vi.waitFor(async () => expect((await report()).credentials).toEqual(marks({})), {
      timeout: 120_000,
      interval: 100,
    });
    const [pod] = (await readdir(kubelet.folder)).filter((name) => name.startsWith('orders-1-'));
    const file = join(kubelet.folder, pod ?? '', 'volumes', 'settings', 'secrets', 'app-password');
    await writeFile(file, 'another');
    const isSet = async () => expect((await report()).credentials).toEqual(marks({ app: 'another' }));
    await vi.waitFor(isSet, { timeout: 120_000, interval: 100 });
    expect((await asOwner('another')).code).toBe(0);
    expect((await asOwner(orders.drawn.passwords.app)).code).not.toBe(0);
    // No replica confirms the commit.
    await query(instance, "SET synchronous_commit = local; ALTER ROLE app PASSWORD 'by hand'");
    await vi.waitFor(async () => expect((await asOwner('another')).code).toBe(0), { timeout: 120_000, interval: 100 });
  });

  test.each([
    { parameter: 'timezone', value: 'Nowhere/X', why: 'invalid value for parameter "TimeZone": "Nowhere/X"' },
    { parameter: 'lc_messages', value: 'xx_XX', why: 'invalid value for parameter "lc_messages": "xx_XX"' },
    {
      parameter: 'shared_preload_libraries',
      value: 'no',
      why: 'could not access file "no": No such file or directory',
    },
    {
      parameter: 'session_preload_libraries',
      value: 'no',
      why: 'could not access file "no": No such file or directory',
    },
    { parameter: 'ssl_ciphers', value: 'nonsense', why: 'could not set the cipher list (no valid ciphers available)' },
    { parameter: 'work_mem', value: '8MB', why: null },
  ])('line 22: PostgreSQL says of $parameter = $value before it has it: $why', async ({ parameter, value, why }) => {
    const wanted = JSON.stringify({ ...serverParameters('orders', orders.spec), [parameter]: value });
    const ask = 'import json, sys, parameters; print(json.dumps(parameters.problem_of(json.loads(sys.argv[1]))))';
    const said = await instance.must('env', 'PYTHONPATH=/usr/local/bin', 'python3', '-c', ask, wanted);
    expect(JSON.parse(said)).toBe(why);
  });

  test('line 22: tells what it has otherwise than it was asked, and why', async () => {
    expect(await report()).not.toHaveProperty('refused');
    await query(instance, "ALTER SYSTEM SET wal_sender_timeout = '7s'");
    await query(instance, 'SELECT pg_reload_conf()');
    const why = 'postgresql.auto.conf overrides it; run ALTER SYSTEM RESET wal_sender_timeout';
    const isTold = async () => expect((await report()).refused).toEqual({ wal_sender_timeout: why });
    await vi.waitFor(isTold, { timeout: 120_000, interval: 100 });
  });

  test('line 5: reports its applied parameters', async () => {
    expect((await report()).parameters).toMatch(/^[0-9a-f]{16}$/);
  });

  test('line 11: reports both while PostgreSQL is down', async () => {
    await crash(instance);
    await wait('000000010000000000000099', Math.floor(Date.now() / 1000) - 70);
    const { usedPercent, unarchivedSince } = await report();
    expect(usedPercent).toBeDefined();
    expect(unarchivedSince).toBeDefined();
  });
});
