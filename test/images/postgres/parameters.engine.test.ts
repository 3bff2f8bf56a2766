import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

/**
 * Plays PostgreSQL: it refuses the value `bad`, `needs` without `needed`, and a server of the operator that is `broken`.
 * Its shared memory is what `shared_buffers` says.
 */
const postgres = `#!/usr/bin/python3
import re, sys
folder = sys.argv[sys.argv.index("-D") + 1]
found = dict(re.findall(r"(\\w+) = '(.*)'", open(folder + "/postgresql.conf").read()))
bad = next((name for name, value in found.items() if value == "bad" or (value == "needs" and "needed" not in found)), None)
if bad:
    sys.exit(f'2026-11-26 22:14:59.523 GMT [1] LOG:  invalid value for parameter "{bad}": "{found[bad]}"\\n'
             f'2026-11-26 22:14:59.523 GMT [1] FATAL:  configuration file "{folder}/postgresql.conf" contains errors')
if found.get("shared_preload_libraries"):
    sys.exit(f'2026-11-26 22:14:59.523 GMT [1] FATAL:  could not access file "{found["shared_preload_libraries"]}": No such file or directory')
if sys.argv[1] == "--check":
    if found.get("huge_pages") == "on":
        sys.exit("FATAL:  could not map anonymous shared memory: Cannot allocate memory\\nHINT:  much")
elif sys.argv[2] == "shared_memory_size":
    print(found.get("shared_buffers", "100"))
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parameters-'));
  await writeFile(join(folder, 'postgres'), postgres, { mode: 0o755 });
  await writeFile(join(folder, 'limit'), String(512 * 2 ** 20));
  for (const file of ['pg_control', 'PG_VERSION']) await writeFile(join(folder, file), '15\n');
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs lines of Python. @returns the last line of their output, as JSON */
async function told(lines: string) {
  const at = (name: string) => JSON.stringify(join(folder, name));
  const program = `
import json, parameters
parameters.ACCEPTED, parameters.CONTROL, parameters.VERSION = ${at('accepted.json')}, ${at('pg_control')}, ${at('PG_VERSION')}
parameters.LIMITS = (${at('none')}, ${at('limit')})
judge = parameters.Judge()
${lines}`;
  const env = {
    ...{ PATH: `${folder}:${process.env['PATH']}`, PYTHONPATH: resolve('images/postgres/bin') },
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = await promisify(execFile)('python3', ['-c', program], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const refused = (name: string, value = 'bad') => ({ [name]: `invalid value for parameter "${name}": "${value}"` });

test.each<{ what: string; given: object; uses: object; because: object }>([
  { what: 'good ones', given: { a: 'new', b: 'new' }, uses: { a: 'new', b: 'new' }, because: {} },
  {
    what: 'a bad one beside good ones',
    given: { a: 'bad', b: 'new' },
    uses: { a: 'old', b: 'new' },
    because: refused('a'),
  },
  {
    what: 'two bad ones, of which one is new',
    given: { a: 'bad', c: 'bad' },
    uses: { a: 'old' },
    because: { ...refused('a'), ...refused('c') },
  },
  {
    what: 'one that needs another, whatever their order',
    given: { a: 'needs', needed: 'new', z: 'bad' },
    uses: { a: 'needs', needed: 'new' },
    because: refused('z'),
  },
  {
    what: 'a library for sessions that does not exist',
    given: { session_preload_libraries: 'nope' },
    uses: {},
    because: { session_preload_libraries: 'could not access file "nope": No such file or directory' },
  },
  {
    what: 'a library of users that does not exist',
    given: { local_preload_libraries: 'nope' },
    uses: {},
    because: {
      local_preload_libraries: 'could not access file "$libdir/plugins/nope": No such file or directory',
    },
  },
  {
    what: 'more memory than the container has',
    given: { shared_buffers: '513' },
    uses: { shared_buffers: '64' },
    because: {
      shared_buffers: 'the shared memory of 513 MB exceeds the memory limit of the container, 512 MB',
    },
  },
  {
    what: 'memory that the machine does not have',
    given: { huge_pages: 'on' },
    uses: {},
    because: { huge_pages: 'could not map anonymous shared memory: Cannot allocate memory' },
  },
  {
    what: 'a value with quotes and backslashes',
    given: { b: "it's \\\\ 'bad'" },
    uses: { b: "it's \\\\ 'bad'" },
    because: {},
  },
])(
  'line 22: an instance that is given $what uses only those that PostgreSQL starts with',
  async ({ given, uses, because }) => {
    const before = { port: '5432', a: 'old', shared_buffers: '64' };
    const wanted = { port: '5432', ...given };
    const found = await told(`
judge.usable(${JSON.stringify(before)})
judge.given = ${JSON.stringify(Object.keys(given))}
used = judge.usable(${JSON.stringify(wanted)})
again = parameters.Judge()
again.given = judge.given
print(json.dumps({"used": used, "refused": judge.refused, "restarted": again.usable(${JSON.stringify(wanted)})}))`);
    const used = { port: '5432', ...uses };
    expect(found).toEqual({ used, refused: because, restarted: used });
  },
);

test('line 22: a parameter that the operator sets is never refused, so that a lost file cannot change it', async () => {
  const found = await told(`
judge.given = ["b"]
print(json.dumps({"used": judge.usable({"ssl": "bad", "b": "bad"}), "refused": judge.refused}))`);
  expect(found).toEqual({ used: { ssl: 'bad', b: 'bad' }, refused: {} });
});

test('line 22: what is refused is forgotten with its correction, and PostgreSQL is asked once for each change', async () => {
  const found = await told(`
asked = []
ask = parameters.problem_of
parameters.problem_of = lambda *given: asked.append(1) or ask(*given)
judge.given = ["a"]
judge.usable({"a": "bad"})
first = dict(judge.refused)
judge.usable({"a": "good"})
count = len(asked)
judge.usable({"a": "good"})
print(json.dumps([first, judge.refused, len(asked) - count]))`);
  expect(found).toEqual([refused('a'), {}, 0]);
});

test('line 22: what is refused is forgotten when it is removed from the spec', async () => {
  const found = await told(`
judge.given = ["a"]
judge.usable({"a": "bad"})
judge.given = []
print(json.dumps([judge.usable({}), judge.refused]))`);
  expect(found).toEqual([{}, {}]);
});

test('line 22: a restart forgets no refusal, whether or not an earlier value is used', async () => {
  const found = await told(`
judge.usable({"a": "old"})
judge.given = ["a", "c"]
used = judge.usable({"a": "bad", "c": "bad"})
print(json.dumps([used, judge.again(used), judge.refused]))`);
  expect(found).toEqual([{ a: 'old' }, { a: 'old' }, { ...refused('a'), ...refused('c') }]);
});

test('line 22: before there is data, PostgreSQL reads its parameters, and is asked again once there is', async () => {
  const found = await told(`
import os
os.rename(parameters.CONTROL, parameters.CONTROL + "x")
judge.given = ["shared_buffers"]
first = [judge.usable({"shared_buffers": "513"}), dict(judge.refused)]
os.rename(parameters.CONTROL + "x", parameters.CONTROL)
print(json.dumps([first, judge.usable({"shared_buffers": "513"}), list(judge.refused)]))`);
  expect(found).toEqual([[{ shared_buffers: '513' }, {}], {}, ['shared_buffers']]);
});

test('line 22: PostgreSQL that did not answer in time is asked again, and nothing is kept as accepted', async () => {
  const found = await told(`
import os
judge.given = ["a"]
parameters.PATIENCE = 0
first = judge.usable({"a": "bad"})
parameters.PATIENCE = 10
print(json.dumps([first, os.path.exists(parameters.ACCEPTED), judge.usable({"a": "bad"}), judge.refused]))`);
  expect(found).toEqual([{ a: 'bad' }, false, {}, refused('a')]);
});

test.each([
  { when: 'PostgreSQL does not answer', lines: 'parameters.PATIENCE = 0' },
  { when: 'there is no room to ask', lines: 'import tempfile\ntempfile.tempdir = "/nowhere"' },
])('line 22: a parameter is used when $when, because nothing is known against it', async ({ lines }) => {
  const found = await told(`
${lines}
judge.given = ["a"]
print(json.dumps([judge.usable({"a": "bad"}), judge.refused]))`);
  expect(found).toEqual([{ a: 'bad' }, {}]);
});
