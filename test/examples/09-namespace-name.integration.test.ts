import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nameService } from '../../examples/08-name-record/client.js';
import { label, namespaceName } from '../../examples/09-namespace-name/controller.js';
import { connectionFrom } from '../../operator/cluster/connection/connect.js';
import { defaults } from '../../operator/config/config.js';
import { runOperator } from '../../operator/process/run-operator.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { Provided } from '../../operator/runtime/ports/external-port.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';

const controlPlane = givenControlPlane();
const stop = new AbortController();
let service: ChildProcess;
let address: string;
let namespace: string;
let running: Promise<void>;

beforeAll(async () => {
  namespace = await freshNamespace(controlPlane);
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port) };
  service = spawn(process.execPath, ['examples/name-service/server.mjs'], { env, stdio: 'ignore' });
  await vi.waitFor(() => fetch(`${address}/log`), { timeout: 120_000, interval: 50 });
  // Under the permissions that the controller derives, and no others.
  const user = `namespace-name-${namespace}`;
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: user } };
  const items = [
    { ...role, kind: 'ClusterRole', rules: namespaceName.rbacRules },
    {
      ...{ ...role, kind: 'ClusterRoleBinding', subjects: [{ kind: 'User', name: user }] },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
    },
  ];
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  expect(await controlPlane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
  running = runOperator([namespaceName as unknown as Controller], {
    config: { ...defaults, metricsPort: 0, healthPort: 0 },
    connection: await connectionFrom({ ...process.env, KUBECONFIG: await controlPlane.addUser({ name: user }) }),
    signal: stop.signal,
    log: silent.log,
    ports: [nameService(address) as unknown as Provided],
  });
}, 120_000);

afterAll(async () => {
  stop.abort();
  await running;
  service?.kill('SIGKILL');
});

const kubectl = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await controlPlane.kubectl(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const named = async () => {
  const answer = await fetch(`${address}/records/${namespace}.namespaces`);
  return answer.ok ? ((await answer.json()) as { address: string }).address : undefined;
};
const metadata = async () => {
  const object = JSON.parse(await kubectl('get', 'namespace', namespace, '-o', 'json'));
  const { annotations = {}, finalizers = [] } = object.metadata;
  const conditions = JSON.parse(annotations['namespace-name.reconstruct.dev/conditions'] ?? '[]');
  const ready = conditions.find(({ type }: { type: string }) => type === 'Ready')?.status;
  return { ready, finalizers, statusFields: Object.keys(object.status) };
};
const timeout = 60_000;

test('R24 R33 R36 R39 a labelled Namespace has a name, until the label or the Namespace is gone', async () => {
  await kubectl('label', 'namespace', namespace, `${label}=192.0.2.7`);
  await expect.poll(named, { timeout }).toBe('192.0.2.7');
  const held = { finalizers: ['reconstruct.dev/namespace-name'], statusFields: ['phase'] };
  await expect.poll(metadata, { timeout }).toEqual({ ready: 'True', ...held });
  await kubectl('label', '--overwrite', 'namespace', namespace, `${label}=192.0.2.8`);
  await expect.poll(named, { timeout }).toBe('192.0.2.8');
  await kubectl('label', 'namespace', namespace, `${label}-`);
  await expect.poll(metadata, { timeout }).toEqual({ ready: undefined, finalizers: [], statusFields: ['phase'] });
  expect(await named()).toBeUndefined();

  await kubectl('label', 'namespace', namespace, `${label}=192.0.2.9`);
  await expect.poll(named, { timeout }).toBe('192.0.2.9');
  await kubectl('delete', 'namespace', namespace, '--wait=false');
  await expect.poll(named, { timeout }).toBeUndefined();
  const left = () => kubectl('get', 'namespace', namespace, '--ignore-not-found', '-o', 'name');
  await expect.poll(left, { timeout }).toBe('');
}, 300_000);
