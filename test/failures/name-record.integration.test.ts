import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Kind, toCustomResourceDefinition } from '../../crds/index.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { compiledExample } from '../given/compiled-example.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';

const example = 'examples/08-name-record';
const controlPlane = givenControlPlane();

let folder: string;
let definition: Kind;
let namespace: string;
let address: string;
let service: ChildProcess;
let operator: ChildProcess | undefined;

beforeAll(async () => {
  folder = compiledExample(example);
  definition = ((await import(resolve(folder, example, 'kind.js'))) as { readonly definition: Kind }).definition;
  const crd = JSON.stringify(toCustomResourceDefinition(definition));
  expect(await controlPlane.kubectl(['apply', '-f', '-'], { input: crd })).toMatchObject({ code: 0 });
  await controlPlane.kubectl(['wait', '--for=condition=Established', `crd/${definition.name}`]);
  namespace = await freshNamespace(controlPlane);
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  service = spawn(process.execPath, ['examples/name-service/server.mjs'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  await vi.waitFor(() => fetch(`${address}/log`), { timeout: 120_000, interval: 50 });
}, 300_000);

afterAll(async () => {
  operator?.kill('SIGKILL');
  service?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await controlPlane.kubectl(['delete', 'crd', definition.name, '--wait=false']);
});

async function startOperator(): Promise<void> {
  const ports = [`--health-port=${await freePort()}`, `--metrics-port=${await freePort()}`];
  const args = [`--namespaces=${namespace}`, ...ports];
  operator = spawn(process.execPath, [join(folder, example, 'operator.js'), ...args], {
    env: { ...process.env, KUBECONFIG: controlPlane.kubeconfig, NAME_SERVICE: address },
    stdio: 'inherit',
  });
}

async function kill(): Promise<void> {
  const ended = operator && once(operator, 'exit');
  operator?.kill('SIGKILL');
  await ended;
}

const names = ['one', 'two', 'three', 'four'];
const apply = async (last: number) => {
  const items = names.map((name) => ({
    apiVersion: 'example.com/v1',
    kind: 'NameRecord',
    metadata: { name, namespace },
    spec: { address: `192.0.2.${last}` },
  }));
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  expect(await controlPlane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
};
const faults = (those: object) => fetch(`${address}/faults`, { method: 'PUT', body: JSON.stringify(those) });
const log = async () =>
  (await (await fetch(`${address}/log`)).json()) as { name: string; address: string | null; changes: boolean }[];
const shown = async () =>
  Promise.all(
    names.map(async (name) => {
      const answer = await fetch(`${address}/records/${name}`);
      return answer.ok ? ((await answer.json()) as { address: string }).address : undefined;
    }),
  );

test('R36 R37 R39 no change is sent twice and nothing is left, although the operator is killed and the service fails after the effect', async () => {
  await faults({ failing: true, lateMs: 1_500, slowMs: 50 });
  await startOperator();
  await apply(1);
  for (let kills = 0; kills < 3; kills++) {
    await pause(2_500);
    await kill();
    await startOperator();
  }
  await expect.poll(shown, { timeout: 60_000 }).toEqual(names.map(() => '192.0.2.1'));
  await apply(2);
  await pause(1_000);
  await kill();
  service.kill('SIGSTOP');
  await startOperator();
  await pause(2_000);
  service.kill('SIGCONT');
  await expect.poll(shown, { timeout: 60_000 }).toEqual(names.map(() => '192.0.2.2'));
  await controlPlane.kubectl(['delete', 'namerecords', '--all', '--wait=false', '--namespace', namespace]);
  await pause(500);
  await kill();
  await startOperator();
  const left = async () =>
    (await controlPlane.kubectl(['get', 'namerecords', '-o', 'name', '--namespace', namespace])).stdout.trim();
  await expect.poll(left, { timeout: 60_000 }).toBe('');
  expect((await log()).filter(({ changes }) => !changes)).toEqual([]);
  expect(await log()).toHaveLength(3 * names.length);
  expect(await shown()).toEqual(names.map(() => undefined));
}, 300_000);
