import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** As much of Patroni 3.0.2 as the wrapper touches: who takes parameters up when, and what its REST API asks. */
const main = `
class Patroni:
    def __init__(self, config):
        self.config = config
        self.load_dynamic_configuration()
    def load_dynamic_configuration(self):
        self.config.dynamic_configuration = self.config.stored
    def run(self):
        from patroni.exceptions import PatroniFatalException
        raise PatroniFatalException("Failed to bootstrap cluster")
    def reload_config(self, sighup=False, local=False):
        print("while it reloads:", told(), flush=True)
def patroni_main():
    pass
def told():
    from patroni.api import RestApiHandler
    return RestApiHandler().get_postgresql_status()["parameters"]
def main():
    from types import SimpleNamespace
    stated = lambda taken: {"postgresql": {}, **({"reconstruct": {"parameters": taken}} if taken else {})}
    patroni = Patroni(SimpleNamespace(stored=stated("one")))
    print("begun:", told())
    patroni.config.dynamic_configuration = stated("two")
    print("changed:", told())
    patroni.reload_config(sighup=True)
    print("taken up:", told())
    patroni.config.dynamic_configuration = stated(None)
    patroni.reload_config()
    print("without:", told())
`;
const api = `
class RestApiHandler:
    def get_postgresql_status(self, retry=False):
        return {"state": "running", "role": "replica"}
    def do_GET_readiness(self):
        print("ready")
    def _write_status_code_only(self, code):
        print(code)
`;

/** As much of psycopg2 as the wrapper touches: its threads ask for nothing before these programs have ended. */
const psycopg2 = {
  '__init__.py': 'class Error(Exception): pass',
  'extensions.py': 'encrypt_password = quote_ident = None',
};

/** How it makes its parameters, and starts with them. */
const postgresql = `
class Postgresql:
    def __init__(self, config):
        self.config = config
    def start(self):
        print("starts with", self.config._server_parameters)
`;
const config = `
class ConfigHandler:
    def get_server_parameters(self, config):
        return dict(config["parameters"])
`;

/** As much of its loop as the wrapper touches: what a leader asks itself, and what it would do. */
const ha = `
class Ha:
    def __init__(self, state, role="replica", leads=False, runs=False, lock=True):
        from types import SimpleNamespace
        self.state_handler = SimpleNamespace(state=state, role=role, is_leader=lambda: leads, is_running=lambda: runs)
        self.has_lock = self.update_lock = lambda: lock
    def is_failover_possible(self, members, check_synchronous=True):
        return True
    def bootstrap(self):
        return "waits for who begins"
    def is_healthiest_node(self):
        return "takes part"
    def post_recover(self):
        return "gives its lead up"
    def enforce_primary_role(self, message, promote_message):
        return message if self.state_handler.is_leader() else promote_message
`;

/** How it copies the primary. */
const bootstrap = `
class Bootstrap:
    def create_replica(self, source):
        import making
        print("made" if making.is_made() else "half made")
        return source
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patroni-'));
  await mkdir(join(folder, 'patroni', 'postgresql'), { recursive: true });
  const files = {
    '__init__.py': '',
    '__main__.py': main,
    'api.py': api,
    'exceptions.py': 'class PatroniFatalException(Exception): pass',
    'ha.py': ha,
    'postgresql/__init__.py': postgresql,
    'postgresql/bootstrap.py': bootstrap,
    'postgresql/config.py': config,
  };
  await mkdir(join(folder, 'psycopg2'));
  for (const [name, text] of Object.entries(psycopg2)) await writeFile(join(folder, 'psycopg2', name), text);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'patroni', name), text);
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the wrapper on a volume, and lines of Python after it. @param free bytes that the volume has left */
async function wrapped(after: string, free: number): Promise<readonly string[]> {
  const program = `
import runpy, os
os.statvfs = lambda path: os.statvfs_result((1, 1, 10**9, ${free}, ${free}, 1, 1, 1, 1, 1))
runpy.run_path(${JSON.stringify(resolve('images/postgres/bin/patroni'))}, run_name="__main__")
${after}`;
  const env = {
    ...process.env,
    PYTHONPATH: `${folder}:${resolve('images/postgres/bin')}`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = await promisify(execFile)('python3', ['-c', program], { env });
  return stdout.trim().split('\n');
}

/** Less than two files of the log, and as much. */
const [little, enough] = [2 * 16 * 1024 ** 2 - 1, 2 * 16 * 1024 ** 2];
const waits = 'waiting for free space on the volume as the leader';

test.each([
  { asked: 'Ha("starting").is_failover_possible([])', full: 'False', else: 'True' },
  { asked: 'Ha("crashed").is_failover_possible([])', full: 'False', else: 'True' },
  // A switchover that somebody asks for.
  { asked: 'Ha("running").is_failover_possible([], False)', full: 'True', else: 'True' },
  { asked: 'Ha("stopping").is_failover_possible([])', full: 'True', else: 'True' },
  { asked: 'Ha("running").is_healthiest_node()', full: 'False', else: 'takes part' },
  // It takes writes, and has lost its lead for a moment.
  { asked: 'Ha("running", leads=True).is_healthiest_node()', full: 'takes part', else: 'takes part' },
  { asked: 'Ha("start failed").post_recover()', full: waits, else: 'gives its lead up' },
  { asked: 'Ha("start failed", lock=False).post_recover()', full: 'gives its lead up', else: 'gives its lead up' },
  { asked: 'Ha("running", runs=True).post_recover()', full: 'gives its lead up', else: 'gives its lead up' },
  { asked: 'Ha("running").enforce_primary_role("leads", "promotes")', full: waits, else: 'promotes' },
  { asked: 'Ha("running", leads=True).enforce_primary_role("leads", "promotes")', full: 'leads', else: 'leads' },
  {
    asked: 'Ha("running", role="promoted").enforce_primary_role("leads", "goes on")',
    full: 'goes on',
    else: 'goes on',
  },
])('line 11: $asked is $full on a full volume, and $else otherwise', async ({ asked, full, else: otherwise }) => {
  const line = `from patroni.ha import Ha\nprint(${asked})`;
  const last = async (free: number) => (await wrapped(line, free)).at(-1);
  expect([await last(little), await last(enough)]).toEqual([full, otherwise]);
});

test.each([
  { who: 'a leader', leads: 'True', looks: ['looks at /var/lib/postgresql/pgdata/pg_wal', 'leads'] },
  { who: 'a replica', leads: 'False', looks: ['promotes'] },
])('line 2: $who looks for files of the log that a timeline ended in: $looks', async ({ leads, looks }) => {
  const look = 'import os\nos.scandir = lambda path: [print("looks at", path)][:0]';
  const ask = `from patroni.ha import Ha\nprint(Ha("running", leads=${leads}).enforce_primary_role("leads", "promotes"))`;
  const told = await wrapped(`${look}\n${ask}`, enough);
  expect(told.slice(told.indexOf('without: None') + 1)).toEqual(looks);
});

test.each([
  { what: 'has its data', is: 'False', ready: 'ready', tells: 'None None', says: '' },
  { what: 'still makes it', is: 'True', ready: '503', tells: 'True None', says: '' },
  {
    ...{ what: 'cannot read what it is to have', is: 'True', ready: '503', tells: 'True no way there' },
    says: '\\nno way there\\n',
  },
])('line 7: an instance that $what is $ready, and tells so', async ({ is, ready, tells, says }) => {
  const there = `import os\nos.path.exists = lambda path: path == "/var/lib/postgresql/.making" and ${is}`;
  const reads = `import builtins, io\nreal = builtins.open
builtins.open = lambda path, *a, **k: io.StringIO("${says}") if path == "/var/lib/postgresql/.unread" else real(path, *a, **k)`;
  const ask = `RestApiHandler().do_GET_readiness()
told = RestApiHandler().get_postgresql_status()\nprint(told.get("making"), told.get("unread"))`;
  const program = `${there}\n${says ? reads : ''}\nfrom patroni.api import RestApiHandler\n${ask}`;
  expect((await wrapped(program, enough)).slice(-2)).toEqual([ready, tells]);
});

test.each([
  { initialize: '""', made: 'False', unlocked: 'True', is: ['taken back', 'restarting an interrupted bootstrap'] },
  { initialize: '""', made: 'True', unlocked: 'True', is: ['waits for who begins'] },
  { initialize: '""', made: 'False', unlocked: 'False', is: ['waits for who begins'] },
  { initialize: '"7000"', made: 'False', unlocked: 'True', is: ['waits for who begins'] },
  { initialize: 'None', made: 'False', unlocked: 'True', is: ['waits for who begins'] },
])(
  'line 1: with the data made: $made, and begun: $initialize, an instance $is',
  async ({ initialize, made, unlocked, is }) => {
    const program = `
import making
from types import SimpleNamespace
from patroni.ha import Ha
making.is_made = lambda: ${made}
ha = Ha("stopped")
ha.cluster = SimpleNamespace(initialize=${initialize}, is_unlocked=lambda: ${unlocked})
ha.dcs = SimpleNamespace(cancel_initialization=lambda: print("taken back"))
print(ha.bootstrap())`;
    const told = await wrapped(program, enough);
    expect(told.slice(told.indexOf('without: None') + 1)).toEqual(is);
  },
);

test.each([
  { code: 0, told: ['half made', 'True'], what: 'has a whole copy of the primary' },
  { code: 1, told: ['half made', 'False'], what: 'has half of one' },
])('line 3: an instance knows that it $what', async ({ code, told }) => {
  const at = `import making\nmaking.VOLUME = ${JSON.stringify(folder)}\nmaking.MARK = making.VOLUME + "/.making"`;
  const copy = `from patroni.postgresql.bootstrap import Bootstrap\nBootstrap().create_replica(${code})`;
  const all = await wrapped(`${at}\n${copy}\nprint(making.is_made())`, enough);
  expect(all.slice(-2)).toEqual(told);
});

test.each([
  { told: 'the init SQL failed', ends: 'the init SQL failed' },
  { told: '', ends: 'Failed to bootstrap cluster: the log of the container has the reason' },
])('line 1: Patroni that gives up a Database ends with what kept it: $ends', async ({ told, ends }) => {
  const at = `import making\nmaking.TOLD = ${JSON.stringify(join(folder, 'told'))}\nopen(making.TOLD, "w").write("${told}")`;
  const run = `from patroni.__main__ import Patroni
try:
    Patroni.run(None)
except SystemExit as end:
    print(end)
print(open(making.TOLD).read())`;
  expect((await wrapped(`${at}\n${run}`, enough)).slice(-2)).toEqual([ends, ends]);
});

test('line 5: Patroni reports a set of parameters only after it has applied them', async () => {
  expect(await wrapped('', enough)).toEqual([
    'begun: one',
    'changed: one',
    'while it reloads: one',
    'taken up: two',
    'while it reloads: two',
    'without: None',
  ]);
});

test('line 22: PostgreSQL gets only the parameters that it starts with, at each start too, and the API reports the others', async () => {
  const program = `
import parameters
from types import SimpleNamespace
from patroni.api import RestApiHandler
from patroni.postgresql import Postgresql
from patroni.postgresql.config import ConfigHandler
parameters.judged = lambda wanted, given, clock: (
    {name: value for name, value in wanted.items() if value != "bad"},
    {name: "no" for name, value in wanted.items() if value == "bad"},
)
print(ConfigHandler().get_server_parameters({"parameters": {"a": "bad", "b": "2"}}))
Postgresql(SimpleNamespace(_server_parameters={"b": "2", "c": "bad"})).start()
print(dict(sorted(RestApiHandler().get_postgresql_status()["refused"].items())))`;
  const told = await wrapped(program, enough);
  expect(told.slice(-3)).toEqual(["{'b': '2'}", "starts with {'b': '2'}", "{'a': 'no', 'c': 'no'}"]);
});
