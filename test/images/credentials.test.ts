import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { passwordMarks } from '../../src/index.js';

const passwords = { superuser: 'super', app: 'a b/ü', replication: 'replication', rewind: 'rewind' };
const server = { certificate: 'CERTIFICATE', key: 'KEY' };

/** As much of psycopg2 as the program touches. A connection plays a server: its roles, and what it is told. */
const psycopg2 = `
class Error(Exception):
    class diag: message_primary = "cannot execute ALTER ROLE in a read-only transaction"
`;
const extensions = `
def encrypt_password(password, user, scope, algorithm):
    import base64, hashlib, hmac
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), b"salt", 4096)
    stored = hashlib.sha256(hmac.new(salted, b"Client Key", "sha256").digest()).digest()
    return "SCRAM-SHA-256$4096:" + base64.b64encode(b"salt").decode() + "$" + base64.b64encode(stored).decode() + ":SERVER"
def quote_ident(name, scope):
    return '"' + name + '"'
`;
const connection = `
import psycopg2
class Server:
    def __init__(self, roles, recovers=False, fails=False):
        self.roles, self.recovers, self.fails, self.told = roles, recovers, fails, []
    def cursor(self): return self
    connection = None
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def execute(self, sql, values=()):
        if sql.startswith("ALTER"):
            if self.fails: raise psycopg2.Error()
            self.told.append(sql)
            self.secrets = values
            self.roles[sql.split('"')[1]] = values[0]
        self.answer = [(self.recovers,)] if "recovery" in sql else [(n, h) for n, h in self.roles.items() if n in values[0]] if values and isinstance(values[0], list) else []
    def fetchone(self): return self.answer[0]
    def fetchall(self): return self.answer
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
  for (const each of ['psycopg2', 'secrets', 'tls']) await mkdir(join(folder, each));
  const files = {
    'psycopg2/__init__.py': psycopg2,
    'psycopg2/extensions.py': extensions,
    'begin.json': JSON.stringify({ owner: 'shop' }),
    'tls/tls.crt': server.certificate,
    'tls/tls.key': server.key,
    '1-instance.yaml': JSON.stringify({ name: 'orders-1', postgresql: { connect_address: '10.0.0.1' } }),
    ...Object.fromEntries(Object.entries(passwords).map(([name, text]) => [`secrets/${name}-password`, text])),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs lines of Python with a server. @returns the last line of their output, as JSON */
async function told(lines: string) {
  const program = `
import json, os, signal, credentials, passwords
from psycopg2.extensions import encrypt_password
${connection}
passwords.SETTINGS = ${JSON.stringify(folder)}
passwords.INSTANCE = ${JSON.stringify(join(folder, '1-instance.yaml'))}
hup = []
signal.signal(signal.SIGHUP, lambda *_: hup.append(1))
known = passwords.read_all()
stored = {role: encrypt_password(known[name], role, None, "") for name, role in {**passwords.OF_PATRONI, "app": "shop"}.items()}
keeper = credentials.Keeper()
${lines}`;
  const env = {
    ...process.env,
    PYTHONPATH: `${folder}:${resolve('images/postgres/bin')}`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = await promisify(execFile)('python3', ['-c', program], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** What the operator expects of an instance that uses all passwords. */
const all = passwordMarks(passwords, server);
const but = (...ends: readonly string[]) => ({
  ...all,
  applied: Object.fromEntries(Object.entries(all?.applied ?? {}).filter(([end]) => !ends.includes(end))),
});

test.each<{ is: string; when: string; server: string; altered: readonly string[]; state: object }>([
  { is: 'nothing', when: 'PostgreSQL has every password', server: 'stored', altered: [], state: { ...all } },
  {
    is: 'the one that differs',
    when: 'PostgreSQL has another',
    server: '{**stored, "shop": encrypt_password("before", "shop", None, "")}',
    altered: ['shop'],
    state: { ...all },
  },
  {
    is: 'each',
    when: 'PostgreSQL has none, an old kind of hash, or a broken one',
    server: '{**stored, "shop": None, "rewinder": "md5abc", "replicator": "SCRAM-SHA-256$x"}',
    altered: ['replicator', 'rewinder', 'shop'],
    state: { ...all },
  },
  {
    is: 'nothing',
    when: 'the instance is a replica',
    server: '{role: None for role in stored}, recovers=True',
    altered: [],
    state: { ...all },
  },
  {
    is: 'nothing',
    when: 'the role is gone',
    server: '{role: one for role, one in stored.items() if role != "shop"}',
    altered: [],
    state: { ...but('app'), problem: 'role shop does not exist' },
  },
  {
    is: 'nothing',
    when: 'PostgreSQL refuses',
    server: '{**stored, "replicator": None}, fails=True',
    altered: [],
    state: {
      ...but('internal'),
      problem: 'the password of role replicator cannot be set: cannot execute ALTER ROLE in a read-only transaction',
    },
  },
])('line 18: an instance sets $is when $when, and reports what it uses', async ({ server: roles, altered, state }) => {
  const found = await told(`
server = Server(${roles})
state = keeper.state(server, known)
print(json.dumps({"state": state, "told": sorted(one.split('"')[1] for one in server.told), "again": (server.told.clear(), keeper.state(server, known), server.told)[2], "raw": str(server.told) + str(server.roles)}))`);
  expect(found).toMatchObject({ state, told: altered, again: [] });
  for (const password of Object.values(passwords)) expect(found.raw).not.toContain(`'${password}'`);
});

test('line 18: an instance hands new passwords to Patroni, which reads them, and reports them once it uses them', async () => {
  const found = await told(`
server = Server(stored)
before = keeper.state(server, {**known, "replication": "before"})
print(json.dumps({"before": before, "hup": len(hup), "after": keeper.state(server, known), "never": len(hup)}))`);
  expect(found).toEqual({ before: but('internal'), hup: 1, after: all, never: 1 });
  const own = JSON.parse(await readFile(join(folder, '1-instance.yaml'), 'utf8'));
  expect(own).toEqual({
    name: 'orders-1',
    postgresql: {
      connect_address: '10.0.0.1',
      authentication: {
        superuser: { password: 'super' },
        replication: { password: 'replication' },
        rewind: { password: 'rewind' },
      },
    },
  });
});

test('line 18: a hash that cannot be compared is set once', async () => {
  const found = await told(`
credentials.matches = lambda verifier, password: False
server = Server(stored)
keeper.state(server, known)
first = len(server.told)
keeper.state(server, known)
print(json.dumps([first, len(server.told)]))`);
  expect(found).toEqual([4, 4]);
});

test('line 18: nothing is done while the kubelet replaces a file', async () => {
  const lines =
    'os.unlink(passwords.SETTINGS + "/secrets/app-password")\nprint(json.dumps(keeper.state(Server({}), {})))';
  expect(await told(lines)).toBeNull();
});

test('a session of the instance cannot wait for replicas, and its statements are not logged', async () => {
  const { session } = await told('print(json.dumps({"session": credentials.SESSION}))');
  for (const setting of ['synchronous_commit=local', 'log_statement=none', 'log_min_error_statement=panic'])
    expect(session).toContain(`-c ${setting}`);
});
