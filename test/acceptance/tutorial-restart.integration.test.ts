import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { Deployment } from '../../operator/runtime/kubernetes/kinds.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { type Log, silent } from '../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../operator/runtime/reconcile/operator.js';
import { administratorOf, freshNamespace, givenControlPlane } from '../given/control-plane.js';
import { givenTutorial } from '../given/tutorial.js';
import type { Loose } from '../given.js';
import { isWrite, quiet } from './given/audit.js';

const controlPlane = givenControlPlane();
const user = 'website-operator';
const names = Array.from({ length: 20 }, (_, index) => `site-${index}`);

let tutorial: Awaited<ReturnType<typeof givenTutorial>>;
let namespace: string;
let running: OneProcess;

beforeAll(async () => {
  tutorial = await givenTutorial();
  namespace = await freshNamespace(controlPlane, 'tutorial');
  const { definition, website } = tutorial;
  const apiGroup = 'rbac.authorization.k8s.io';
  const rbac = { apiVersion: `${apiGroup}/v1`, metadata: { name: user } };
  await apply(
    definition,
    { ...rbac, kind: 'ClusterRole', rules: website.rbacRules },
    {
      ...{ ...rbac, kind: 'ClusterRoleBinding', roleRef: { apiGroup, kind: 'ClusterRole', name: user } },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    },
  );
  await controlPlane.kubectl(['wait', '--for=condition=Established', `crd/${definition.metadata.name}`]);
  running = await OneProcess.start();
}, 300_000);

afterAll(async () => {
  await running?.stop();
  await controlPlane.kubectl(['delete', 'crd', tutorial.definition.metadata.name, '--wait=false']);
  rmSync(tutorial.folder, { recursive: true });
});

async function apply(...items: readonly object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await controlPlane.kubectl(['apply', '--server-side', '-f', '-'], { input });
  if (code !== 0) throw new Error(stderr);
}

/** The operator of the tutorial, with what it has written and logged. */
class OneProcess {
  readonly lines: string[] = [];
  /** Resources of which a reconcile has ended, one for each time. */
  passes = 0;
  readonly #stopping = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(readonly since: number) {}

  static async start(): Promise<OneProcess> {
    const one = new OneProcess(await controlPlane.auditPosition());
    const transport = new Transport(await kubeconfig(await controlPlane.addUser({ name: user })));
    const say = (_: object, message: string) => void one.lines.push(message);
    const log: Log = { debug: () => {}, info: say, warn: say, error: say };
    const reconciled = () => void one.passes++;
    const operator = new Operator({
      ...{ controllers: [tutorial.website], cluster: new KubernetesCluster(transport), clock: systemClock },
      ...{ telemetry: { ...silent, log, reconciled }, namespaces: [namespace], maxConcurrentReconciles: 4 },
      ...{ resyncPeriod: 600_000, reconcileTimeout: 120_000, gracefulShutdownTimeout: 5_000, identity: user },
    });
    one.#ended = operator.run(one.#stopping.signal).finally(() => transport.close());
    return one;
  }

  /** Its writes since it started, as `create deployments`. */
  async writes(): Promise<readonly string[]> {
    await quiet(controlPlane, namespace);
    const requests = await controlPlane.requests(this.since);
    return requests
      .filter((one) => one.user === user && isWrite(one))
      .map(({ verb, resource, subresource }) => `${verb} ${[resource, subresource].filter(Boolean).join('/')}`);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }
}

const until = (holds: () => Promise<unknown>) =>
  vi.waitFor(async () => expect(await holds()).toBeTruthy(), { timeout: 120_000, interval: 50 });

async function specOf(name: string): Promise<Loose> {
  const cluster = await administratorOf(controlPlane);
  return ((await cluster.read(Deployment, { namespace, name })) as Loose | undefined)?.['spec'];
}

test('R17 the operator of the tutorial writes each object of 20 Websites once, and one event for each', async () => {
  const apiVersion = 'example.com/v1';
  const spec = { html: '<title>hello</title>' };
  await apply(...names.map((name) => ({ apiVersion, kind: 'Website', metadata: { name, namespace }, spec })));
  await until(async () => (await running.writes()).length === 5 * names.length);
  const created = ['configmaps', 'deployments', 'services'].map((plural) => `create ${plural}`);
  expect(new Set(await running.writes())).toEqual(new Set([...created, 'create events', 'patch websites/status']));
});

test('R17 its next process writes nothing and logs no drift, though its L2 constructs render zero values', async () => {
  await running.stop();
  running = await OneProcess.start();
  await until(async () => running.passes >= names.length);
  expect(await running.writes()).toEqual([]);
  expect(running.lines).not.toContain('Reverting drift');
});

test.each([
  { path: '/spec/minReadySeconds', value: 5, of: (spec: Loose) => spec['minReadySeconds'] },
  { path: '/spec/template/spec/hostNetwork', value: true, of: (spec: Loose) => spec['template'].spec.hostNetwork },
])('R18 it reverts the edit of a zero value that the server omits: $path', async ({ path, value, of }) => {
  const cluster = await administratorOf(controlPlane);
  const edit = [{ op: 'add' as const, path, value }];
  running.lines.length = 0;
  const answer = await cluster.patch(Deployment, { namespace, name: 'site-0' }, edit, { manager: 'somebody' });
  expect(of((answer as Loose)['spec'])).toBe(value);
  await until(async () => of(await specOf('site-0')) === undefined);
  expect(running.lines).toContain('Reverting drift');
});
