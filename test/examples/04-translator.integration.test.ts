import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kind, toCustomResourceDefinition } from '../../crds/index.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { compiledExample } from '../given/compiled-example.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';

const example = 'examples/04-translator';
const controlPlane = givenControlPlane();

let folder: string;
let definition: Kind;
let namespace: string;
let operator: ChildProcess;

beforeAll(async () => {
  folder = compiledExample(example);
  const kind = (await import(resolve(folder, example, 'kind.js'))) as { readonly definition: Kind };
  definition = kind.definition;
  const crd = JSON.stringify(toCustomResourceDefinition(definition));
  expect(await controlPlane.kubectl(['apply', '-f', '-'], { input: crd })).toMatchObject({ code: 0 });
  await controlPlane.kubectl(['wait', '--for=condition=Established', `crd/${definition.name}`]);

  namespace = await freshNamespace(controlPlane);
  const ports = [`--health-port=${await freePort()}`, `--metrics-port=${await freePort()}`];
  operator = spawn(process.execPath, [join(folder, example, 'operator.js'), `--namespaces=${namespace}`, ...ports], {
    env: { ...process.env, KUBECONFIG: controlPlane.kubeconfig },
    stdio: 'inherit',
  });
}, 300_000);

afterAll(async () => {
  operator?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await controlPlane.kubectl(['delete', 'crd', definition.name]);
});

const kubectl = async (...args: readonly string[]) =>
  (await controlPlane.kubectl([...args, '--namespace', namespace])).stdout.trim().split('\n').filter(Boolean);

const becomes = (names: readonly string[]) =>
  expect.poll(() => kubectl('get', 'deployments', '-o', 'name'), { timeout: 120_000 }).toEqual(names);

test('a Translator becomes a server for each language', async () => {
  await kubectl('apply', '-f', join(example, 'resource.yaml'));
  await becomes(['deployment.apps/subtitles-de', 'deployment.apps/subtitles-fr']);
  const reason = "jsonpath={.status.conditions[?(@.type=='Translating')].reason}";
  await expect.poll(() => kubectl('get', 'translator', 'subtitles', '-o', reason)).toEqual(['Starting']);
});

test('a language that the spec drops is deleted', async () => {
  await kubectl('patch', 'translator', 'subtitles', '--type=merge', '-p', '{"spec":{"languages":["fr"]}}');
  await becomes(['deployment.apps/subtitles-fr']);
  expect(await kubectl('get', 'services', '-o', 'name')).toHaveLength(1);
});

test('SIGTERM ends the operator in order', async () => {
  operator.kill('SIGTERM');
  expect(await once(operator, 'exit')).toEqual([0, null]);
});
