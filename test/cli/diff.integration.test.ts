import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { install } from '../acceptance/given/operator.js';
import { build } from '../given/build.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import type { Loose } from '../given.js';
import { RunningCommand } from './demo/running-command.js';

const controlPlane = givenControlPlane();
let namespace: string;
const resource = (spec: object) => ({
  ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'web' } },
  spec: { image: 'web:1', ...spec },
});

beforeAll(async () => {
  await install(controlPlane);
  namespace = await freshNamespace(controlPlane);
});

const kubectl = async (args: readonly string[], input?: object) => {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stdout, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
  return stdout;
};

const at = () => ['--namespace', namespace, '--kubeconfig', controlPlane.kubeconfig];

/** The output of the command. Fails if the command wrote. */
async function diff(...args: readonly string[]) {
  const since = await controlPlane.auditPosition();
  await using running = new RunningCommand(['diff', ...args, '--output', 'json', ...at()]);
  const code = await running.exited;
  const writes = (await controlPlane.requests(since)).filter(({ uri, verb }) => {
    return uri.includes(`/namespaces/${namespace}/`) && !['get', 'list', 'watch'].includes(verb);
  });
  expect(writes.filter(({ uri }) => !uri.includes('dryRun=All'))).toEqual([]);
  const found = running.stdout === '' ? [] : (JSON.parse(running.stdout) as Loose<object>[]);
  const changes = found.flatMap((one) => one['changes'] as Loose<object>[]);
  return {
    code,
    stderr: running.stderr,
    says: changes.map(({ action, object }) => `${action} ${object.kind}`),
    changes,
    notes: found.flatMap(({ notes }) => notes as string[]),
  };
}

/** Runs the operator until it has done what it is asked for, and ends it as Ctrl-C does. */
async function run(done: () => Promise<void>): Promise<string> {
  const namespaces = `--namespaces=${namespace},nowhere`;
  const options = ['--kubeconfig', controlPlane.kubeconfig, '--log-format=text', namespaces];
  await using running = new RunningCommand(['run', ...options]);
  await done();
  running.signal('SIGINT');
  expect(await running.exited, running.stderr).toBe(0);
  return running.stdout;
}

const reconciled = async () => {
  await expect
    .poll(() => kubectl(['get', 'algorithm', 'web', '--output=jsonpath={.status.observedGeneration}']), {
      timeout: 120_000,
    })
    .toBe(await kubectl(['get', 'algorithm', 'web', '--output=jsonpath={.metadata.generation}']));
};

test('diff predicts the changes of run and writes nothing', async () => {
  const all = ['create ConfigMap', 'create Service', 'create Deployment', 'create PodDisruptionBudget'];
  await kubectl(['apply', '-f', '-'], resource({}));
  expect(await diff('algorithm/web')).toMatchObject({ code: 1, says: all, notes: [] });

  const log = await run(reconciled);
  expect(log).toMatch(/ warn {2}Namespace not found, waiting until it is created namespace=nowhere\n/);
  expect(log.match(/Namespace not found/g)).toHaveLength(1);
  expect(log).toMatch(/ info {2}Created object kind=Deployment name=.*\/web\n/);
  expect(log).toMatch(/ Operator stopped\n$/);
  for (const named of ['algorithms/web', 'algo/web'])
    expect(await diff(named)).toMatchObject({ code: 0, says: [], notes: [] });
  const stderr = expect.stringContaining('no controller for al; there are controllers for Algorithm.ai.alien6.io');
  expect(await diff('al/web')).toMatchObject({ code: 2, stderr });

  // What another one set comes back, and of what was made by a create a field that is wanted no longer goes.
  await kubectl(['scale', 'deployment/web', '--replicas=7']);
  await kubectl(['apply', '-f', '-'], resource({ config: { a: '1' } }));
  const { code, says, changes } = await diff('algorithm/web');
  expect({ code, says }).toEqual({ code: 1, says: ['update ConfigMap', 'update Deployment'] });
  expect(changes[0]?.['after'].data).toEqual({ a: '1' });
  expect([changes[1]?.['before'].spec.replicas, changes[1]?.['after'].spec.replicas]).toEqual([7, 1]);
}, 300_000);

test('diff shows fields that go with the spec that wanted them, as the operator then takes them away', async () => {
  const spec = { image: 'web:1', args: ['--fast'], config: { gone: '1', kept: '1' } };
  await kubectl(['apply', '-f', '-'], resource(spec));
  await run(reconciled);
  await kubectl(['apply', '-f', '-'], resource({ config: { kept: '1' } }));
  const { changes } = await diff('algorithm/web');
  const after = new Map(changes.map((change) => [change['object'].kind as string, change['after']]));
  await run(reconciled);
  const really = async (kind: string) => JSON.parse(await kubectl(['get', kind, 'web', '--output=json']));
  expect(after.get('ConfigMap').data).toEqual((await really('configmap')).data);
  expect(after.get('Deployment').spec).toEqual((await really('deployment')).spec);
}, 300_000);

test('diff includes the defaults of the server in objects that are as created', async () => {
  await kubectl(['delete', 'algorithm', 'web', '--cascade=foreground']);
  await kubectl(['apply', '-f', '-'], resource({ args: ['--fast'] }));
  await run(reconciled);
  await kubectl(['apply', '-f', '-'], resource({ config: { a: '1' } }));
  const { says, changes } = await diff('algorithm/web');
  expect(says).toEqual(['update ConfigMap', 'update Deployment']);
  const before = changes[1]?.['before'].spec;
  await run(reconciled);
  const { spec } = JSON.parse(await kubectl(['get', 'deployment', 'web', '--output=json']));
  expect(changes[1]?.['after'].spec).toEqual(spec);
  expect(before.template.spec.dnsPolicy).toBe(spec.template.spec.dnsPolicy);
}, 300_000);

test('diff shows the finalizer that is added before the first object', async () => {
  const database = readFileSync('examples/06-database/resource.yaml', 'utf8');
  expect((await controlPlane.kubectl(['apply', '-f', '-', '--namespace', namespace], { input: database })).code).toBe(
    0,
  );
  const { says, changes, notes } = await diff('database/orders');
  expect(says).toEqual([
    ...['create ConfigMap', 'create ConfigMap', 'create PersistentVolumeClaim'],
    ...['update Database', 'create Pod'],
  ]);
  const { before, after } = changes.find((change) => change['object'].kind === 'Database') as Loose;
  expect([before.metadata.finalizers, after]).toEqual([
    undefined,
    { ...before, metadata: { ...before.metadata, finalizers: [expect.stringContaining('backups')] } },
  ]);
  expect(notes).toEqual([expect.stringMatching(/^NotKnown: .* controller database .* reconstruct\/credentials,/)]);
}, 300_000);

test('diff refuses a file with a field that there is not, as kubectl does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  const file = join(folder, 'web.json');
  for (const name of ['web', 'another']) {
    const { metadata, ...content } = resource({ colour: 'red' });
    writeFileSync(file, JSON.stringify({ ...content, metadata: { ...metadata, name } }));
    const { code, stderr } = await diff('--file', file);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('unknown field "spec.colour"') });
  }
  rmSync(folder, { recursive: true });
});

test('diff of a new file shows the objects to create, with colors only on a terminal', async () => {
  const file = 'examples/02-plain-server/resource.yaml';
  await using running = new RunningCommand(['diff', '--file', file, ...at()]);
  expect(await running.exited).toBe(1);
  expect(running.stdout).toMatch(/^create ConfigMap .*\/translator\n@@ -0,0 \+1,\d+ @@\n\+apiVersion: v1\n/);
  expect(await kubectl(['get', 'algorithms', '--output=name'])).not.toContain('translator');
});

test('diff of a spec that the controller rejects is trouble, so that a pipeline does not merge it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rejects-'));
  const module = join(folder, 'rejects.mjs');
  const built = (path: string) => JSON.stringify(pathToFileURL(join(build, path)));
  writeFileSync(
    module,
    `import { algorithm } from ${built('operator/controllers/algorithm/index.js')};
import { RejectedError } from ${built('operator/runtime/kubernetes/errors.js')};
export const rejects = { ...algorithm, desire: () => { throw new RejectedError('NotToday', 'come back tomorrow'); } };`,
  );
  const { code, changes, notes } = await diff(module, '--file', 'examples/02-plain-server/resource.yaml');
  const note = expect.stringMatching(/^NotToday: come back tomorrow/);
  expect({ code, changes, notes }).toEqual({ code: 2, changes: [], notes: [note] });
  rmSync(folder, { recursive: true });
});

test('diff fails if another owner has an object of the same name', async () => {
  await kubectl(['create', 'configmap', 'translator']);
  const { code, notes } = await diff('--file', 'examples/02-plain-server/resource.yaml');
  expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringMatching(/^NotOwned: ConfigMap translator /)] });
});

test('diff of a resource that is not there is trouble', async () => {
  await using running = new RunningCommand(['diff', 'algorithm/nobody', ...at()]);
  expect(await running.exited).toBe(2);
  expect(running.stderr).toBe(
    `reconstruct: Algorithm ${namespace}/nobody not found; check the name and --namespace, or specify a file with --file\n`,
  );
});
