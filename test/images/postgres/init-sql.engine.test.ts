import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Loose } from '../../given.js';
import type { Container } from './container.js';
import { begin, crash, GivenDatabase, query } from './given-database.js';
import { absence, Kubelet } from './kubelet.js';

const absent = absence();
if (absent !== undefined) console.warn(`init SQL is not tried out: ${absent}`);

const initSql = { configMapRef: { name: 'orders-init' } };
const furnish = ['furnish', 'host=/run/postgresql user=postgres dbname=postgres'];
const rows = Array.from({ length: 50_000 }, (_, row) => `${row}\tsome words`);

/** What pg_dump writes since 15.14, with 900 kB of rows. */
const dump = `--
-- PostgreSQL database dump
--

\\restrict NPngk2WWU6fM4r7MmfBt6av5

SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.counted (row int, words text);
COPY public.counted (row, words) FROM stdin;
${rows.join('\n')}
\\.

\\unrestrict NPngk2WWU6fM4r7MmfBt6av5
`;

describe.skipIf(absent)('the init SQL of a Database', () => {
  let kubelet: Kubelet;
  const begun: Container[] = [];
  let password: string;

  beforeAll(async () => {
    kubelet = await Kubelet.start();
  });
  afterAll(async () => {
    for (const container of begun) await crash(container);
    await kubelet?.[Symbol.asyncDispose]();
  });

  /** An instance that has begun, and is to be furnished. */
  async function beginner(sql: string): Promise<Container> {
    const init: Loose<object> = {
      ...{ kind: 'ConfigMap', metadata: { name: 'orders-init', namespace: 'shop' }, data: { 'init.sql': sql } },
    };
    const name = `orders${begun.length}`;
    const orders = await GivenDatabase.of(name, { deletionPolicy: 'Delete', bootstrap: { initSql } });
    password = orders.drawn.passwords['app'] ?? '';
    const instance = (await kubelet.pod(orders.pod, orders.objects(init))).named('postgres');
    begun.push(instance);
    await begin(instance, orders);
    return instance;
  }

  test('line 1: is run as the owner, with the extensions that he may have', async () => {
    const instance = await beginner('CREATE EXTENSION citext; CREATE TABLE made AS SELECT session_user AS by;');
    await instance.must(...furnish);
    expect(await query(instance, 'SELECT by FROM made', 'app')).toBe('app');
  });

  test('line 1: may be a dump of several hundred kB, which restricts psql by itself', async () => {
    const instance = await beginner(dump);
    await instance.must(...furnish);
    expect(await query(instance, 'SELECT count(*), max(row) FROM counted', 'app')).toBe('50000|49999');
  });

  const alone = 'it must contain only SQL and no psql commands; remove the lines that start with \\; ';
  const at = (line: number) => `psql:/etc/reconstruct/init/init.sql:${line}: `;
  test.each([
    {
      ...{ does: 'becomes the superuser', why: `${at(2)}ERROR:  must be superuser to create superusers` },
      sql: 'RESET SESSION AUTHORIZATION;\nCREATE ROLE mighty SUPERUSER;',
    },
    { does: 'runs a program', sql: 'SELECT 1;\n\\! touch /tmp/mighty', why: `${alone}${at(2)}error: backslash` },
    {
      ...{ does: 'does so as a dump', why: `${alone}${at(3)}error: backslash` },
      sql: '\\restrict a\n\\unrestrict a\n\\! touch /tmp/mighty\n',
    },
    { does: 'has a mistake', sql: 'SELECT 1;\nSELEC 2;\nCREATE ROLE mighty;', why: `${at(2)}ERROR:  syntax error` },
  ])('line 1: fails where it $does, and says so', async ({ sql, why }) => {
    const instance = await beginner(sql);
    const { code, stderr } = await instance.run(...furnish);
    expect(code).not.toBe(0);
    const said = await instance.said();
    expect(said).toContain(`the init SQL failed: ${why}`);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain(password);
    expect(await query(instance, "SELECT count(*) FROM pg_roles WHERE rolname = 'mighty'")).toBe('0');
    await expect(instance.must('test', '-e', '/tmp/mighty')).rejects.toThrow();
  });

  test('line 1: the SQL is not run by an older psql, which runs programs; the password stays hidden', async () => {
    const instance = await beginner('SELECT 1');
    const older = "echo \"$@\" >&2; printf 'invalid command %s\\n' '\\restrict' >&2; exit 1";
    await instance.must('mkdir', '/tmp/older');
    await instance.must('sh', '-c', 'printf "#!/bin/sh\\n%s\\n" "$1" >/tmp/older/psql', '', older);
    await instance.must('chmod', '+x', '/tmp/older/psql');
    const { code } = await instance.run('sh', '-c', 'PATH=/tmp/older:$PATH exec "$@"', '', ...furnish);
    expect(code).not.toBe(0);
    const said = await instance.said();
    expect(said).toContain('use an image with PostgreSQL 15.14 or later');
    expect(said).toContain('--username=app');
    expect(said).not.toContain(password);
  });
});
