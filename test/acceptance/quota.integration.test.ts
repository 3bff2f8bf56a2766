import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseSpec, kinds, toCustomResourceDefinition, withDefaults } from '../../crds/index.js';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { controllers } from '../../operator/controllers/index.js';
import { defaults, runOperator } from '../../operator/index.js';
import { ControlPlane } from '../../operator/testing/index.js';
import {
  DatabaseArchive,
  DatabasePod,
  DatabaseWorker,
  GatewayInstall,
  gatewayApiCrds,
  KubeObject,
} from '../../src/index.js';
import { rendered } from '../src/database/given-database.js';
import { partsOf } from '../systems/parts.js';
import type { UnderQuota } from './given/quota-cluster.js';

let controlPlane: ControlPlane;
let running: Promise<void>;
const stop = new AbortController();

async function kubectl(args: readonly string[], items: readonly object[] = []): Promise<string> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stdout, stderr } = await controlPlane.kubectl(args, { input });
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  controlPlane = await ControlPlane.start({ nodes: 3 });
  const install = rendered((chart) => {
    new GatewayInstall(chart, 'gateway', { namespace: 'default' });
  });
  const crds = [...gatewayApiCrds(), ...kinds.map(toCustomResourceDefinition)];
  await kubectl(['apply', '--server-side', '-f', '-'], crds);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await kubectl(['apply', '--server-side', '-f', '-'], install);
  const config = { ...defaults, metricsPort: 0, healthPort: 0, logLevel: 'silent' as const };
  const connection = await kubeconfig(controlPlane.kubeconfig);
  running = runOperator(controllers, { config, connection, signal: stop.signal });
}, 300_000);
afterAll(async () => {
  stop.abort();
  await running;
  await controlPlane?.stop();
});

/** A namespace in which each container must state all four amounts. */
async function limited(namespace: string, cpu: string): Promise<void> {
  await kubectl(['create', 'namespace', namespace]);
  await kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  const hard = { 'requests.cpu': cpu, 'limits.cpu': cpu, 'requests.memory': '40Gi', 'limits.memory': '40Gi' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard } };
  await kubectl(['apply', '-n', namespace, '-f', '-'], [quota]);
  const path = 'jsonpath={.status.hard.limits\\.cpu}';
  await kubectl(['wait', '-n', namespace, 'resourcequota/team', `--for=${path}=${cpu}`, '--timeout=60s']);
}

const algorithm = {
  apiVersion: 'ai.alien6.io/v1',
  kind: 'Algorithm',
  metadata: { name: 'reco' },
  spec: { image: 'server:1', replicas: 2, lifecycle: { canaryWeight: 20 } },
};
const spec = { storage: { size: '1Gi' }, backup: { target: { volume: {} } } };
const database = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { name: 'orders' }, spec };

/** The names of the Pods, without the part that a ReplicaSet adds. */
async function podsIn(namespace: string): Promise<readonly string[]> {
  const names = await kubectl(['get', 'pods', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.name}']);
  return names
    .split(' ')
    .map((name) => name.replace(/-[a-z0-9]{6,10}-[a-z0-9]{5}$/, ''))
    .toSorted();
}

describe('in a namespace with a quota for requests and limits', { timeout: 300_000 }, async () => {
  test('an Algorithm, its proxies and a Database with backups get their Pods', async () => {
    await limited('quota', '100');
    await kubectl(['apply', '-n', 'quota', '-f', '-'], [algorithm, database]);
    const expected = ['orders-1', 'orders-repo', 'reco', 'reco', 'reconstruct-gateway', 'reconstruct-gateway'];
    await vi.waitFor(async () => expect(await podsIn('quota')).toEqual(expected), { timeout: 120_000, interval: 500 });
    await kubectl(['wait', '-n', 'quota', 'algorithm/reco', '--for=condition=Deployed', '--timeout=120s']);
  });

  test('the other Pods of a Database are admitted too', async () => {
    await limited('quota-workers', '100');
    const whole = withDefaults(databaseSpec, spec);
    const common = { name: 'orders', image: 'postgres:15', spec: whole };
    const worker = { ...common, namespace: 'shop', database: 'orders', backup: 'now' };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'orders', namespace: 'shop' } };
    const pods = rendered((chart) => {
      new KubeObject(chart, 'account', account);
      new DatabasePod(chart, 'pod', { ...common, instance: 'orders-3' });
      new DatabaseArchive(chart, 'archive', { ...common, claim: 'earlier-repo' });
      for (const task of ['make', 'verify', 'expire', 'close'] as const)
        new DatabaseWorker(chart, task, {
          ...worker,
          name: task,
          task,
          ...(task === 'close' && { instance: 'orders-1' }),
        });
    }).map(({ metadata: { namespace: _, ...metadata }, ...object }) => ({ ...object, metadata }));
    await kubectl(['apply', '-n', 'quota-workers', '-f', '-'], pods);
    const names = ['close', 'expire', 'make', 'orders-3', 'orders-archive', 'verify'];
    expect(await podsIn('quota-workers')).toEqual(names.toSorted());
  });

  test('an Algorithm that exceeds the quota says which one, and what helps', async () => {
    await limited('quota-small', '1');
    await kubectl(['apply', '-n', 'quota-small', '-f', '-'], [{ ...algorithm, spec: { image: 'server:1' } }]);
    const path = 'jsonpath={.status.conditions[?(@.type=="Deployed")].reason}';
    await kubectl(['wait', '-n', 'quota-small', 'algorithm/reco', `--for=${path}=FailedCreate`, '--timeout=120s']);
    const message = await kubectl([
      ...['get', '-n', 'quota-small', 'algorithm/reco', '-o'],
      'jsonpath={.status.conditions[?(@.type=="Deployed")].message}',
    ]);
    expect(message).toContain('exceeded quota: team, requested: limits.cpu=2');
    expect(message).toMatch(/: raise limits\.cpu of ResourceQuota team, or lower the requests and limits in the spec$/);
  });

  for (const underQuota of (await partsOf<UnderQuota>('test/acceptance/quota/<system>.ts', 'underQuota')).values())
    underQuota({ kubectl, limited, podsIn });
});
