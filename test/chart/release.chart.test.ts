import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlPlane } from '../../operator/testing/index.js';
import { wordsOf } from '../commands/page-commands.js';
import { stepsOf } from '../commands/page-walk.js';
import { helmPage, isHelm } from '../commands/proofs.js';
import type { Rendered } from '../src/given-rendered.js';
import { chart } from './chart-rendering.js';
import { type HelmResult, helm } from './helm-program.js';

const namespace = 'reconstruct-system';
const folder = mkdtempSync(join(tmpdir(), 'chart-'));
const olderChart = join(folder, 'older');

// Its own, since it must be empty at first.
let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await ControlPlane.start();
  cpSync(chart, olderChart, { recursive: true });
  changeFile('templates/crds/algorithms.ai.alien6.io.yaml', (text) => withoutField(text, addedField));
  changeFile('values.yaml', (text) => text.replace('logLevel: info\n', ''));
  changeFile('values.schema.json', (text) => text.replace('"logLevel",', ''));
});
afterAll(async () => {
  await controlPlane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A field of the status of Algorithms that an older release did not have. */
const addedField = 'retryCount';

/** Changes a file of the older chart. */
function changeFile(path: string, change: (text: string) => string): void {
  const file = join(olderChart, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${path}: must differ in the older chart`);
  writeFileSync(file, after);
}

/** A schema without a field. */
function withoutField(yaml: string, field: string): string {
  const lines = yaml.split('\n');
  const start = lines.findIndex((line) => line.trim() === `${field}:`);
  const indent = lines[start]?.search(/\S/) ?? expect.fail(`no field ${field}`);
  const length = lines.slice(start + 1).findIndex((line) => line.search(/\S/) <= indent);
  return lines.toSpliced(start, length + 1).join('\n');
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await controlPlane.kubectl(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Runs Helm in the namespace of the operator. */
function release(...args: readonly string[]): Promise<HelmResult> {
  return helm([...args, '--namespace', namespace], controlPlane.kubeconfig);
}

async function released(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await release(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

async function objectsOf(...kinds: readonly string[]): Promise<readonly Rendered[]> {
  const text = await kubectl('get', kinds.join(','), '--all-namespaces', '--ignore-not-found', '-o', 'json');
  return text === '' ? [] : JSON.parse(text).items;
}

const deployment = async () => (await objectsOf('deployments'))[0] ?? expect.fail('no Deployment');
const definitions = async () => (await objectsOf('crds')).map(({ metadata }) => metadata.name);
async function hasField(): Promise<boolean> {
  const { spec } = JSON.parse(await kubectl('get', 'crd', 'algorithms.ai.alien6.io', '-o', 'json'));
  return addedField in spec.versions[0].schema.openAPIV3Schema.properties.status.properties;
}

/** The names of what is installed beside the CRDs, by kind. */
async function installed(): Promise<readonly string[]> {
  const kinds = [
    ...['serviceaccounts', 'clusterroles', 'clusterrolebindings', 'roles', 'rolebindings', 'networkpolicies'],
    ...['services', 'deployments', 'poddisruptionbudgets'],
  ];
  const all = await objectsOf(...kinds);
  return all
    .filter(({ metadata }) => /^reconstruct|\.(reconstruct\.dev|alien6\.io)/.test(metadata.name))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

const algorithm = JSON.stringify({
  ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'translator', namespace: 'default' } },
  spec: { image: 'server:1' },
});

describe('a release', () => {
  test('is installed with its namespace, and prints what to do next', async () => {
    const output = await released('install', 'reconstruct', olderChart, '--create-namespace');
    expect(output).toContain(`kubectl --namespace ${namespace} rollout status deployment/reconstruct`);
    expect(output).toContain('reconstruct check');
    expect((await deployment())['spec']).toMatchObject({ replicas: 2 });
    expect(await hasField()).toBe(false);
    await kubectl('wait', '--for=condition=Established', 'crd/algorithms.ai.alien6.io');
    const { code, stderr } = await controlPlane.kubectl(['create', '-f', '-'], { input: algorithm });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('fits into its Secret', async () => {
    const secrets = await kubectl('get', 'secrets', '-n', namespace, '-l', 'owner=helm', '-o', 'json');
    const sizes = JSON.parse(secrets).items.map(({ data }: Rendered) => Buffer.from(data.release, 'base64').length);
    console.log(`a release takes ${Math.ceil(Math.max(...sizes) / 1024)} KiB of 1024`);
    expect(Math.max(...sizes)).toBeLessThan(900 * 1024);
  });

  test('is upgraded with its CRDs and other values, and keeps the CRDs of a system that it leaves out', async () => {
    const { selector } = (await deployment())['spec'];
    const changes = ['--set', 'replicas=3', '--set', 'systems.kafka=false'];
    const { stderr } = await release('upgrade', 'reconstruct', chart, ...changes, '--reuse-values');
    expect(stderr).toContain("missing property 'logLevel'");
    await released('upgrade', 'reconstruct', chart, ...changes, '--reset-then-reuse-values');
    expect(await hasField()).toBe(true);
    const { spec } = await deployment();
    expect(spec).toMatchObject({ replicas: 3, selector });
    expect(spec.template.spec.containers[0].args.join(' ')).not.toContain('kafkacluster');
    expect(await kubectl('get', 'clusterrole', 'reconstruct', '-o', 'json')).not.toContain('kafkatopics/status');
    expect(await definitions()).toContain('kafkaclusters.reconstruct.dev');
  });

  test('is rolled back with its CRDs', async () => {
    // Helm warns that the CRDs of Kafka exist.
    expect(await release('rollback', 'reconstruct', '1')).toMatchObject({ code: 0 });
    expect(await hasField()).toBe(false);
    expect((await deployment())['spec']).toMatchObject({ replicas: 2 });
    expect(await kubectl('get', 'clusterrole', 'reconstruct', '-o', 'json')).toContain('kafkatopics/status');
  });

  test('is uninstalled without its CRDs and their resources', async () => {
    const before = await definitions();
    expect(await installed()).not.toEqual([]);
    const { stdout, stderr } = await release('uninstall', 'reconstruct', '--wait');
    expect(stdout + stderr).toContain('CustomResourceDefinition');
    await expect.poll(installed).toEqual([]);
    expect(await definitions()).toEqual(before);
    expect(await kubectl('get', 'algo', 'translator', '-n', 'default')).toContain('translator');
  });

  test('is installed again over the CRDs that were kept', async () => {
    await released('install', 'reconstruct', chart);
    expect(await hasField()).toBe(true);
    await release('uninstall', 'reconstruct', '--wait');
    await expect.poll(installed).toEqual([]);
  });

  test('with another name takes over the CRDs only if told so', async () => {
    const { code, stderr } = await release('install', 'other', chart);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('meta.helm.sh/release-name') });
    await released('install', 'other', chart, '--take-ownership');
    await release('uninstall', 'other', '--wait');
    await expect.poll(installed).toEqual([]);
  });

  test('takes over an installation from the manifests', async () => {
    await kubectl('apply', '--server-side', '--force-conflicts', '-f', 'dist/');
    const { uid } = (await deployment()).metadata as unknown as { uid: string };
    const { code, stderr } = await release('install', 'reconstruct', chart);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot be imported') });
    await released('install', 'reconstruct', chart, '--take-ownership', '--server-side=false');
    const after = await deployment();
    expect(after.metadata).toMatchObject({
      uid,
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'reconstruct' },
    });
    await released('upgrade', 'reconstruct', olderChart, '--set', 'replicas=1');
    expect((await deployment())['spec']).toMatchObject({ replicas: 1 });
    expect(await hasField()).toBe(false);
  });

  test('that took over can go back to a system that it left out', async () => {
    await released('upgrade', 'reconstruct', chart, '--set', 'systems.training=false');
    const flags = ['--server-side=true', '--force-conflicts'];
    expect(await release('rollback', 'reconstruct', '1', ...flags)).toMatchObject({ code: 0 });
    expect(JSON.stringify(await deployment())).toContain('trainingjob');
  });
});

describe('the page about Helm', () => {
  const steps = stepsOf(helmPage);

  test('has commands that work in their order', async () => {
    await release('uninstall', 'reconstruct', '--wait');
    for (const name of ['team-a', 'team-b']) await kubectl('create', 'namespace', name);
    for (const step of steps) {
      if ('file' in step) writeFileSync(join(folder, step.file), step.content);
      else if (isHelm(step)) {
        if (step.text.includes('--take-ownership'))
          await kubectl('apply', '--server-side', '--force-conflicts', '-f', 'dist/');
        const args = wordsOf(step.text)
          .slice(1)
          .map((word) => (word === 'values.yaml' ? join(folder, word) : word));
        const { code, stderr } = await helm(args, controlPlane.kubeconfig);
        expect({ command: step.text, code, stderr }).toMatchObject({ command: step.text, code: 0 });
      }
    }
    expect(steps.filter((step) => 'file' in step || isHelm(step)).length).toBeGreaterThan(5);
  });
});
