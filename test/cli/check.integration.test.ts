import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CheckReport } from '../../cli/check/report.js';
import { install } from '../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import { RunningCommand } from './demo/running-command.js';

const controlPlane = givenControlPlane();
const folder = mkdtempSync(join(tmpdir(), 'check-'));
const [system, name] = ['reconstruct-system', 'reconstruct'];
const selector = '--selector=app.kubernetes.io/instance=reconstruct';
const topics = 'kafkatopics.reconstruct.dev';

async function kubectl(args: readonly string[], input?: object): Promise<string> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stdout, stderr } = await controlPlane.kubectl(args, options);
  expect(code, stderr).toBe(0);
  return stdout;
}

const patch = (type: 'merge' | 'json', value: object, ...target: readonly string[]) =>
  kubectl(['patch', ...target, `--type=${type}`, `--patch=${JSON.stringify(value)}`]);

/** What the command reports as another user. @default - the administrator */
async function check(kubeconfig = controlPlane.kubeconfig, ...args: readonly string[]) {
  await using running = new RunningCommand(['check', '--kubeconfig', kubeconfig, ...args]);
  const code = await running.exited;
  // On a busy machine, the command says that it waits.
  const stderr = running.stderr.replace(/^still waiting for .*\n/gm, '');
  return { code, stdout: running.stdout, stderr };
}

async function findings(kubeconfig = controlPlane.kubeconfig) {
  const { code, stdout, stderr } = await check(kubeconfig, '-o', 'json');
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as CheckReport;
  expect(code).toBe(report.ok ? 0 : 1);
  const of = (state: string) =>
    report.findings.filter((one) => one.state === state).map(({ part, message }) => `${part}: ${message}`);
  return { problems: of('problem'), unknown: of('unknown'), ok: of('ok') };
}

let pods: readonly string[] = [];

/** Reports what kubelets and the operator would report of a healthy installation. */
async function healthy(): Promise<void> {
  for (const pod of pods) await reported(pod, { running: { startedAt: new Date().toISOString() } });
  await kubectl(['wait', '--for=condition=Available', `deployment/${name}`, '-n', system, '--timeout=120s']);
  await renewed(Date.now() + 3_600_000);
}

/** The state of the container of a Pod, which is ready if it runs. */
async function reported(pod: string, state: object, place = system): Promise<void> {
  const status = 'running' in state ? 'True' : 'False';
  const container = {
    name: 'operator',
    image: 'operator:1',
    imageID: '',
    ready: status === 'True',
    restartCount: 0,
    state,
  };
  const conditions = ['PodScheduled', 'Ready'].map((type) => ({ type, status: type === 'Ready' ? status : 'True' }));
  const value = { status: { phase: 'Running', conditions, containerStatuses: [container] } };
  await patch('merge', value, 'pod', pod, '-n', place, '--subresource=status');
}

/** The Lease of the first Pod. @param time milliseconds since 1970 */
async function renewed(time: number): Promise<void> {
  const spec = {
    ...{ holderIdentity: `${pods[0]}_1`, leaseDurationSeconds: 15 },
    renewTime: new Date(time).toISOString().replace('Z', '000Z'),
  };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: system }, spec };
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], lease);
}

beforeAll(async () => {
  await install(controlPlane);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s']);
  const replicas = async () =>
    (await kubectl(['get', 'pods', '-n', system, selector, '-o', 'name'])).trim().split('\n');
  await vi.waitFor(async () => expect(await replicas()).toHaveLength(2), { timeout: 120_000 });
  pods = (await replicas()).map((pod) => pod.replace('pod/', ''));
  await healthy();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kubectl(['delete', 'lease', name, '-n', system, '--ignore-not-found']);
  await install(controlPlane);
});

test('an installation of dist/ works, also by text', async () => {
  expect(await findings()).toMatchObject({ problems: [], unknown: [] });
  const { code, stdout } = await check();
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('The installation works.');
  expect(stdout).toMatch(/^ok +definitions +\d+ CRDs established, with the schemas of version /m);
  expect(stdout).toMatch(
    /^ok +permissions +ServiceAccount reconstruct-system\/reconstruct has all \d{3,} permissions/m,
  );
});

test('an older CRD, a missing permission, an expired Lease and an image are reported together', async () => {
  const field = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/deletionPolicy';
  await patch('json', [{ op: 'remove', path: field }], 'crd', topics);
  const role = JSON.parse(await kubectl(['get', 'clusterrole', name, '-o', 'json'])) as {
    rules: readonly { readonly resources: readonly string[] }[];
  };
  const rules = role.rules.filter(({ resources }) => !resources.includes('kafkatopics'));
  await patch('merge', { rules }, 'clusterrole', name);
  await renewed(Date.now() - 60_000);
  await reported(String(pods[1]), { waiting: { reason: 'ImagePullBackOff', message: 'no such host' } });
  const namespace = await freshNamespace(controlPlane);
  const labels = { 'reconstruct.dev/controller': 'database' };
  const pod = {
    metadata: { name: 'orders-1', namespace, labels },
    spec: { containers: [{ name: 'a', image: 'pg:15' }] },
  };
  await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', ...pod });
  const workload = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace, labels } },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: pod.spec },
    },
  };
  await kubectl(['apply', '-f', '-'], workload);
  await kubectl(['wait', '--for=create', 'pod', '--selector=app=web', '-n', namespace, '--timeout=120s']);
  const [web = ''] = (await kubectl(['get', 'pods', '--selector=app=web', '-n', namespace, '-o', 'name']))
    .trim()
    .split('\n');
  await reported(web.replace('pod/', ''), { waiting: { reason: 'ImagePullBackOff', message: 'not found' } }, namespace);
  await reported('orders-1', { waiting: { reason: 'ErrImagePull', message: 'unauthorized' } }, namespace);

  const { problems, unknown } = await findings();
  expect(unknown).toEqual([]);
  const all = problems.join('\n');
  for (const expected of [
    new RegExp(`definitions: CRD ${topics} is older than version .*: it lacks spec.deletionPolicy`),
    /permissions: ServiceAccount .* may not .*list.* kafkatopics\.reconstruct\.dev$/m,
    new RegExp(`leader: Lease ${system}/${name} was last renewed 1m.* ago by ${pods[0]}`),
    new RegExp(`operator: Pod ${system}/${pods[1]}: the image .* cannot be pulled: no such host`),
    new RegExp(`pods: Pod ${namespace}/orders-1: the image operator:1 cannot be pulled by 1 Pod: unauthorized`),
    new RegExp(`pods: Deployment ${namespace}/web: the image operator:1 cannot be pulled by 1 Pod: not found`),
  ])
    expect(all).toMatch(expected);

  // A user who may not ask for reviews reads the roles instead.
  const rule = (group: string, ...resources: readonly string[]) => ({
    apiGroups: [group],
    resources,
    verbs: ['get', 'list'],
  });
  const reader = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'check-reader' },
  };
  const kinds = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
  await kubectl(['apply', '-f', '-'], { ...reader, rules: [rule('rbac.authorization.k8s.io', ...kinds)] });
  await kubectl(['create', 'clusterrolebinding', 'check-reader', '--clusterrole=check-reader', '--user=reader']);
  const asReader = await findings(await controlPlane.addUser({ name: 'reader' }));
  await kubectl(['delete', 'clusterrole,clusterrolebinding', 'check-reader']);
  expect(asReader.problems.join('\n')).toMatch(/^permissions: .* kafkatopics\.reconstruct\.dev$/m);

  await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  await install(controlPlane);
  await healthy();
  expect((await findings()).problems.filter((one) => !one.startsWith('pods:'))).toEqual([]);
});

test('a user without permissions learns which are missing, and what is unknown', async () => {
  const { problems, unknown, ok } = await findings(await controlPlane.addUser({ name: 'nobody' }));
  expect({ problems, ok: ok.filter((one) => !one.startsWith('optional')) }).toEqual({ problems: [], ok: [] });
  const all = unknown.join('\n');
  expect(all).toContain('you may not list customresourcedefinitions.apiextensions.k8s.io');
  expect(all).toContain(`you may not get deployments.apps in namespace ${system}`);
  expect(all).toContain('you may not create subjectaccessreviews.authorization.k8s.io, or list clusterroles');
  expect(all).toContain(`you may not get leases.coordination.k8s.io in namespace ${system}`);
});

test('an operator that does not exist is one problem', async () => {
  const { code, stdout } = await check(controlPlane.kubeconfig, '--name', 'other', '-o', 'json');
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as CheckReport;
  expect(report.findings.filter(({ state }) => state === 'problem').map(({ message }) => message)).toEqual([
    'Deployment reconstruct-system/other does not exist',
  ]);
});

test('a cluster that is not there is one line, and exit code 2', async () => {
  const file = join(folder, 'kubeconfig');
  const [context, server] = ['gone', 'https://127.0.0.1:1'];
  const contexts = [{ name: context, context: { cluster: context, user: context } }];
  const clusters = [{ name: context, cluster: { server } }];
  const users = [{ name: context, user: {} }];
  writeFileSync(file, JSON.stringify({ 'current-context': context, contexts, clusters, users }));
  const { code, stdout, stderr } = await check(file);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^reconstruct: the API server at https:\/\/127\.0\.0\.1:1 does not answer: .*\n$/);
});
