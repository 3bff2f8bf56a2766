import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holderOf, type LeaseAnswer } from '../../../../operator/controllers/leader/ports/leases.js';
import { type LeaderRole, roleAnnotation } from '../../../../operator/controllers/leader/ports/roles.js';
import { launcherReport } from '../../../../operator/engines/leader/launcher-report.js';
import { openLeader } from '../../../../operator/engines/leader/open-leader.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { LeaderCandidate, LeaderLease } from '../../../../src/index.js';
import { until } from '../../../chaos/wait.js';
import { administratorOf, freshNamespace, givenControlPlane } from '../../../given/control-plane.js';
import { builtLauncher, launcherAbsence, redisServers } from './given-launcher.js';

if (launcherAbsence !== undefined) console.warn(launcherAbsence);

const audience = 'reconstruct.dev/leader';
const address = `127.${10 + (process.pid % 240)}.251.1`;

describe.skipIf(launcherAbsence)('a launcher at a real API server', () => {
  const controlPlane = givenControlPlane();
  let [namespace, folder]: [string, string] = ['', ''];
  let launcher: ChildProcess;
  let ports: readonly Provided[];
  let close: () => Promise<void>;

  const kubectl = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await controlPlane.kubectl(['--namespace', namespace, ...args], { input });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const token = (account: string, ...flags: readonly string[]) => kubectl(['create', 'token', account, ...flags]);
  const get = async (path: string, bearer: string) =>
    fetch(`http://${address}:7481${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const report = async () =>
    launcherReport(await (await get('/v1/status', await token('operator', '--audience', audience))).text());
  const portOf = (name: string) => ports.find(({ port }) => port.name === `reconstruct/leader-${name}`) as Provided;
  const { signal } = new AbortController();
  const lease = () =>
    (portOf('leases').source as unknown as Source<object, LeaseAnswer>)({ namespace, name: 'cache' }, { signal });
  const send = (name: string, request: object) => {
    const perform = portOf(name).performer?.perform as Perform<object>;
    return perform(request, { signal, mayLeave: () => {} });
  };

  beforeAll(async () => {
    namespace = await freshNamespace(controlPlane, 'leader');
    folder = await mkdtemp(join(tmpdir(), 'launcher-'));
    const chart = new Chart(new App(), 'candidates', { namespace });
    new LeaderCandidate(chart, 'candidate', { election: 'cache' });
    new LeaderLease(chart, 'lease', { name: 'cache', namespace });
    const rbac = 'rbac.authorization.k8s.io/v1';
    const metadata = { name: `${namespace}-operator` };
    const items = [
      ...(chart.toJson() as readonly object[]),
      ...['operator', 'stranger'].map((name) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name, namespace },
      })),
      {
        ...{ apiVersion: rbac, kind: 'ClusterRole', metadata },
        rules: [{ apiGroups: ['reconstruct.dev'], resources: ['leaderelections/status'], verbs: ['patch'] }],
      },
      {
        ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata },
        subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
      },
      {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'cache-0', namespace } },
        spec: { containers: [{ name: 'redis', image: 'redis' }] },
      },
    ];
    await kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const at = (name: string) => join(folder, name);
    await writeFile(at('token'), await token('cache-candidate', '--audience', audience));
    await writeFile(at('api-token'), await token('cache-candidate'));
    await writeFile(at('operator-token'), await token('operator', '--audience', audience));
    await writeFile(at('role'), '');
    const flags = [
      '--role-file',
      at('role'),
      '--token-file',
      at('token'),
      '--socket-dir',
      at('run'),
      '--loopback=false',
    ];
    const api = [
      '--api-server',
      controlPlane.url,
      '--api-ca-file',
      controlPlane.caFile,
      '--api-token-file',
      at('api-token'),
    ];
    const command = [redisServers[0]?.[1] ?? '', '--port', '6379', '--save', '', '--dir', folder];
    const env = {
      ...process.env,
      POD_NAME: 'cache-0',
      POD_UID: await uid(),
      POD_NAMESPACE: namespace,
      POD_IP: address,
    };
    launcher = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', '--', await builtLauncher(folder), 'run', ...flags, ...api, '--', ...command],
      { env, stdio: 'ignore' },
    );
    const cluster = await administratorOf(controlPlane);
    const config = { leaderTokenFile: at('operator-token') };
    ({ provided: ports, close } = openLeader({ cluster, clock: systemClock, config, refusal: () => undefined }));
    const answers = () =>
      report().then(
        ({ application }) => application.isRunning,
        () => false,
      );
    await until(answers, { what: 'the server answers', within: 60_000, every: 100 });
  }, 300_000);
  afterAll(async () => {
    await close?.();
    launcher?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const uid = () => kubectl(['get', 'pod', 'cache-0', '--output=jsonpath={.metadata.uid}']);

  it('lets in the operator and its own ServiceAccount by a token with its audience, and no other caller', async () => {
    const statuses = await Promise.all([
      get('/v1/status', await token('operator', '--audience', audience)),
      get('/v1/status', await token('cache-candidate', '--audience', audience)),
      get('/v1/status', await token('stranger', '--audience', audience)),
      get('/v1/status', await token('operator')),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
  });

  it('leads by the Lease that the operator gives it, renews it, and releases it with its last offset', async () => {
    const { boot, name } = await report();
    const podUid = await uid();
    const released = await lease();
    if (released.state !== 'released') throw new Error(released.state);
    const holder = holderOf({ name, uid: podUid, boot });
    const request = {
      namespace,
      name: 'cache',
      uid: released.uid,
      version: released.version,
      holder,
      duration: 15_000,
    };
    await send('leases', { ...request, term: 1 });
    const role: LeaderRole = {
      ...{ election: 'cache', uid: 'e', term: 1, role: 'leader', boot, port: 6379, candidates: [] },
      ...{
        lease: { name: 'cache', duration: 15_000, renewDeadline: 10_000, retryPeriod: 500 },
        minReplicas: 0,
        maxLag: 2_000,
      },
    };
    const pods = [{ name, uid: podUid, role: JSON.stringify(role), term: '1', isLabelled: true }];
    await send('roles', { act: 'assign', namespace, pods });
    const annotation = `jsonpath={.metadata.annotations.${roleAnnotation.replaceAll('.', '\\.')}}`;
    await writeFile(join(folder, 'role'), await kubectl(['get', 'pod', name, `--output=${annotation}`]));
    const renewed = () => kubectl(['get', 'lease', 'cache', '--output=jsonpath={.spec.renewTime}']);
    await expect.poll(() => report().then(({ leads }) => leads), { timeout: 60_000 }).toBe(true);
    const before = await renewed();
    await expect.poll(renewed, { timeout: 60_000 }).not.toBe(before);
    expect(await lease()).toMatchObject({ state: 'held', holder, term: 1 });
    await expect(send('leases', { ...request, term: 1, holder: 'other/other/other' })).rejects.toThrow(
      'changed meanwhile',
    );
    launcher.kill('SIGTERM');
    await once(launcher, 'exit');
    expect(await lease()).toMatchObject({
      state: 'released',
      term: 1,
      release: { by: { name, uid: podUid, boot }, term: 1, reason: 'Shutdown', offset: expect.any(Number) },
    });
  });
});
