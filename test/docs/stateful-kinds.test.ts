import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

const page = readFileSync('docs/stateful-kinds.md', 'utf8');
/** The listings, by the names of their files. */
const listings = [...page.matchAll(/^```ts\n(\/\/ (\S+\.ts)\n[\s\S]*?)^```/gm)].map(([, code = '', file = '']) => ({
  ...{ file, code },
}));

let folder: string;
beforeAll(() => {
  mkdirSync('build', { recursive: true });
  // Inside the package, so that it finds itself by its name.
  folder = mkdtempSync(join('build', '.stateful-kinds-'));
  for (const { file, code } of listings) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: readonly string[]) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });

test('the code of the page compiles, and its tests pass, as a reader runs them', () => {
  const compilerOptions = { ...{ rootDir: '.', outDir: '.', noEmit: false }, declaration: false };
  const files = listings.map(({ file }) => file);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files, include: [] }),
  );
  expect(node(resolve('node_modules/typescript/bin/tsc'), '--checkers', '1').stdout).toBe('');
  const { stdout, stderr } = node('--test', '--test-reporter=tap', 'store.test.js');
  expect(stdout.match(/^ *not ok .*$/gm), `${stdout}${stderr}`).toBeNull();
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]), stdout).toBeGreaterThan(20);
});

interface PlannedStore {
  readonly steps: readonly { readonly act: string; readonly why: string }[];
}

describe('the plan of the page', () => {
  const member = { ...{ pod: 'there', claim: 'there', revision: 'new' }, isReady: true };
  const peer = (name: string, isLeader = name === 'orders-1') => ({ name, hasAllData: true, isLeader });
  const all = ['orders-1', 'orders-2', 'orders-3'].map((name) => ({ ...member, name, peer: peer(name) }));
  const retired = { ...all[1], retired: 'lost', pod: 'none', isReady: false };
  const unknown = { ...all[2], peer: undefined };
  const seen = {
    ...{ name: 'orders', isFormed: true, wanted: 3, revision: 'new', now: 1, replaceAfter: 0 },
    ...{ members: all, peers: all.map((one) => one.peer) },
  };
  it.each([
    {
      step: 'retire orders-2 leaves, and its volume is kept',
      when: 'the spec has fewer members',
      change: { wanted: 2 },
    },
    {
      step: 'wait no member leaves until orders-3 is healthy',
      when: 'it has fewer members, and one does not answer',
      change: { wanted: 2, members: [all[0], all[1], unknown] },
    },
    {
      step: 'call orders-2 leaves the store',
      when: 'a member was retired that the store still has',
      change: { members: [all[0], retired, all[2]] },
    },
    {
      step: 'add Creating orders-4',
      when: 'a member was retired, and the store has forgotten it',
      change: { members: [all[0], retired, all[2]], peers: [peer('orders-1'), peer('orders-3')] },
    },
    {
      step: 'wait no member is created until the store answers',
      when: 'a member is missing, and the store does not answer',
      change: { members: [all[0], all[2]], peers: undefined },
    },
    {
      step: 'add Creating orders-1, orders-2, orders-3',
      when: 'no store is formed',
      change: { members: [], peers: undefined, isFormed: false },
    },
    {
      step: 'wait orders-1 and orders-2 both lead',
      when: 'two members lead, and one is outdated',
      change: { peers: [peer('orders-1'), peer('orders-2', true)], revision: 'newer' },
    },
    { step: 'replace orders-2 is being replaced', when: 'the image changes', change: { revision: 'newer' } },
  ])('has the step "$step" when $when', async ({ step, change }) => {
    const { planOf } = (await import(resolve(folder, 'store-plan.ts'))) as {
      readonly planOf: (situation: object) => PlannedStore;
    };
    expect(planOf({ ...seen, ...change }).steps.map(({ act, why }) => `${act} ${why}`)).toEqual([step]);
  });
});

describe('what EtcdCluster uses of the engine', () => {
  const etcd = 'operator/controllers/etcd';
  const sources = readdirSync(etcd)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(etcd, file), 'utf8'));
  const used = [...new Set(sources.flatMap(usedOfMembers))].toSorted();
  const [, exported = ''] =
    /export \{([^}]*)\} from '\.\/members\/index\.js'/.exec(readFileSync('operator/index.ts', 'utf8')) ?? [];

  it('is not nothing', () => {
    expect(used.length).toBeGreaterThan(15);
  });

  it.each(used)('is exported to authors, and on the page: %s', (name) => {
    expect(new RegExp(`\\b${name},`).test(exported), 'exported by operator/index.ts').toBe(true);
    expect(new RegExp(`\\b${name}\\b`).test(page), 'on the page').toBe(true);
  });
});

/** The names that a file imports from the engine, one by one or as a namespace. */
function usedOfMembers(source: string): readonly string[] {
  const [, names = ''] = /^import (?:type )?\{([^}]*)\} from '[./]*\/members\/index\.js'/m.exec(source) ?? [];
  const [, namespace] = /^import (?:type )?\* as (\w+) from '[./]*\/members\/index\.js'/m.exec(source) ?? [];
  const qualified =
    namespace === undefined ? [] : [...source.matchAll(new RegExp(`(?<![\\w.])${namespace}\\.(\\w+)`, 'g'))];
  const named = names.split(',').map((name) =>
    name
      .trim()
      .replace(/^type /, '')
      .replace(/ as .*/, ''),
  );
  return [...named.filter((name) => name !== ''), ...qualified.map(([, name = '']) => name)];
}
