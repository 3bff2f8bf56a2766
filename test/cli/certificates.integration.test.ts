import { beforeAll, beforeEach, expect, test } from 'vitest';
import { install } from '../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import type { Loose } from '../given.js';
import { RunningCommand } from './demo/running-command.js';
import { condition } from './status/given-conditions.js';

const controlPlane = givenControlPlane();
let namespace: string;

beforeAll(() => install(controlPlane));
beforeEach(async () => {
  namespace = await freshNamespace(controlPlane);
  await kubectl(['apply', '-f', '-'], {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Certificate', metadata: { name: 'shop' } },
    spec: { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] },
  });
});

async function kubectl(args: readonly string[], input?: object): Promise<string> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stdout, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Reports of the Certificate what the operator would. */
async function reported(status: object): Promise<void> {
  const patch = JSON.stringify({ status });
  await kubectl(['patch', 'rcert', 'shop', '--subresource=status', '--type=merge', '--patch', patch]);
}

const read = async () => JSON.parse(await kubectl(['get', 'rcert', 'shop', '--output=json'])) as Loose<object>;

async function command(...args: readonly string[]) {
  await using running = new RunningCommand([...args, '-n', namespace, '--kubeconfig', controlPlane.kubeconfig]);
  const code = await running.exited;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test('renew writes nothing but the annotation', async () => {
  const conditions = [
    condition('Ready', 'False', 'OrderFailed'),
    condition('UpToDate', 'False', 'OrderFailed', 'The order failed'),
  ];
  await reported({ observedGeneration: 1, consumers: '2/2', conditions });
  const before = await read();
  expect(await command('certificates', 'renew', 'shop')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `Certificate ${namespace}/shop: requested a renewal; to follow it, run reconstruct status certificate shop -n ${namespace}\n`,
  });
  const { metadata, spec, status } = await read();
  expect(metadata.annotations['reconstruct.dev/renew']).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect({ spec, status }).toEqual({ spec: before['spec'], status: before['status'] });
});

test('rotation rotate exits with 2 for a SecretRotation that does not exist', async () => {
  expect(await command('rotation', 'rotate', 'orders')).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `reconstruct: SecretRotation ${namespace}/orders not found; check the name and --namespace\n`,
  });
});
