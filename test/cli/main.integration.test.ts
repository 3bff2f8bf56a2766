import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { RunningCommand } from './demo/running-command.js';

async function outcome(...args: readonly string[]) {
  await using running = new RunningCommand(args);
  const code = await running.exited;
  await running.nothingLeft([]);
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test.each([
  ['reconstruct: nowhere.yaml cannot be read: ENOENT; specify the path of a YAML file\n', 'import', 'nowhere.yaml'],
  ["error: missing required argument 'files'\n", 'import'],
  ["error: unknown option '--twice'\n", 'demo', '--twice'],
])('says in one line what is wrong: %s', async (stderr, ...args) => {
  expect(await outcome(...args)).toEqual({ code: 1, stdout: '', stderr });
});

test('says in one line that a kubeconfig is missing', async () => {
  const { code, stderr } = await outcome('demo', '--kubeconfig', 'nowhere');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^reconstruct: cannot read .*nowhere.*\n$/),
  });
});

describe('a module that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modules-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    { file: 'old.cjs', text: 'export const a = 1;', why: 'it is not an ES module; set "type": "module" in its' },
    {
      file: 'source.mts',
      text: 'export const a: number = 1;',
      why: 'this version of Node.js runs only JavaScript; compile the module',
    },
    { file: 'fails.mjs', text: "\nthrow new Error('no')", why: `no\n  at ${relative('', folder)}/fails.mjs:2:7\n` },
  ])('is refused: $file', async ({ file, text, why }) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    const { code, stderr } = await outcome('plan', path, '--file', 'examples/02-plain-server/resource.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain(`reconstruct: ${path} cannot be loaded: ${why}`);
  });
});

test('lists the options of the operator that it runs', async () => {
  const { code, stdout } = await outcome('run', '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(/--health-port {2}\(RECONSTRUCT_HEALTH_PORT, default 0\)/);
  const option = '  --namespaces  (RECONSTRUCT_NAMESPACES)\n      ';
  expect(stdout).toContain(`Options of the operator (port 0 disables the endpoint):\n  --`);
  expect(stdout).toContain(option);
});

test('plans the objects of a resource, without a cluster', async () => {
  const { code, stdout, stderr } = await outcome('plan', '--file', 'examples/02-plain-server/resource.yaml');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const planned = parseYamlDocuments(stdout);
  expect(planned.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget']);
});

test('plans the values that kubectl reads, from a file as kubectl reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plan-'));
  const file = join(folder, 'resource.yaml');
  const config = { on: '1', '0o17': 'yes', '1_000': '12:30:45' };
  const spec = `spec: {image: 'web:1', replicas: 0b11, lifecycle: {rollbackOnDrift: no}, config: ${JSON.stringify(config)}}`;
  writeFileSync(file, `apiVersion: ai.alien6.io/v1\nkind: Algorithm\nmetadata: {name: web}\n${spec}\n`);
  const { code, stdout, stderr } = await outcome('plan', '--file', file);
  rmSync(folder, { recursive: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('data:\n  "0o17": "yes"\n  "1_000": "12:30:45"\n  "on": "1"\n');
  expect(stdout).toContain('replicas: 3\n');
});

test('R36 plans the external calls of a controller, also for a kind whose status belongs to others', async () => {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', '.plan-'));
  const module = join(folder, 'calls.mjs');
  writeFileSync(
    module,
    `import { defineController, ExternalCall, Namespace } from 'cdk8s-reconstruct/operator';
    const dns = { name: 'dns' };
    const declared = { kind: Namespace, reportsTo: 'events', owns: [], calls: [dns], conditions: {}, assess: () => ({ conditions: {} }),
      polls: (poll) => ({ found: poll(dns, () => ({ question: 1, interval: 60_000 })) }) };
    const request = { name: 'shop', address: '1' };
    export const blind = defineController({ ...declared, name: 'blind',
      desire: (scope) => { new ExternalCall(scope, 'address', { port: dns, request, refreshes: ['found'] }); } });
    export const seeing = defineController({ ...declared, name: 'seeing', desire: (_, { polled }) => void polled.found });
    export const choosy = defineController({ ...declared, name: 'choosy', selects: () => false, desire: (_, { polled }) => void polled.found });`,
  );
  const resource = join(folder, 'namespace.yaml');
  writeFileSync(resource, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
  const planned = await outcome('plan', module, '--file', resource);
  rmSync(folder, { recursive: true });
  expect(planned).toEqual({
    code: 0,
    stdout: '# call address of dns: {"name":"shop","address":"1"}\n',
    stderr:
      'Namespace shop is used without defaults and validation; specify its CRD with --crd\n' +
      'Namespace shop: controller seeing may create more objects and send external calls when it runs and polls dns\n',
  });
});

test('plans the objects of all controllers of a kind and names the polled ones that are missing', async () => {
  const canary = await outcome('plan', '--file', 'examples/05-canary/resource.yaml');
  expect(canary).toMatchObject({ code: 0, stderr: '' });
  expect(canary.stdout).toContain('kind: Deployment');

  const database = await outcome('plan', '--file', 'examples/06-database/resource.yaml');
  expect(database.code).toBe(0);
  expect(database.stdout).toContain('name: orders-rw');
  expect(database.stdout).toContain('name: orders-repo');
  expect(database.stderr).toBe(
    'Database default/orders: controller database may create more objects when it runs and polls reconstruct/credentials\n',
  );
});

test.each([
  { what: 'neither a file nor a resource', args: [] },
  { what: 'an option that there is not', args: ['--nothing'] },
  { what: 'a kubeconfig that is missing', args: ['algorithm/web', '--kubeconfig', 'nowhere'] },
  { what: 'a format that there is not', args: ['algorithm/web', '--output', 'xml'] },
])('diff ends with 2, not with 1, for $what', async ({ args }) => {
  const { code, stdout } = await outcome('diff', ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each([
  { what: 'a command that there is not', args: ['dif', 'algo/web'], said: /unknown command 'dif'.*/s },
  { what: 'a verb that there is not', args: ['algo', 'wacth', 'web'], said: /unknown command 'wacth'.*/s },
  { what: 'no verb', args: ['algo'], said: /^Usage: reconstruct algo / },
  { what: 'a resource beside a file', args: ['diff', 'algo/web', '-f', 'web.yaml'], said: /not both/ },
])('ends with 2, since 1 would be an answer, for $what', async ({ args, said }) => {
  const { code, stdout, stderr } = await outcome(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
});

test.each([
  { args: [], said: 'reconstruct: specify the YAML file of a resource with --file\n' },
  { args: ['--fil', 'web.yaml'], said: "error: unknown option '--fil'\n(Did you mean --file?)\n" },
])('plan says what is wrong with $args', async ({ args, said }) => {
  expect(await outcome('plan', ...args)).toEqual({ code: 1, stdout: '', stderr: said });
});

test('diff asks for a resource where only a module is given', async () => {
  const { code, stderr } = await outcome('diff', 'build/controller.js');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'reconstruct: specify a resource as KIND/NAME after build/controller.js, or a file with --file\n',
  });
});

test('run lists every fault of its options', async () => {
  const { code, stderr } = await outcome('run', '--max-concurrent-reconciles=0', '--nothing');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^reconstruct: invalid configuration:\n.*--nothing.*\n.*--max-concurrent-reconciles.*\n$/,
    ),
  });
});

test('knows its version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await outcome('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('names its commands', async () => {
  const { stdout } = await outcome('--help');
  expect(stdout).toMatch(/\n {2}demo \[options\] +\w/);
  expect(stdout).toMatch(/\n {2}import \[options\] <files...> +\w/);
});
