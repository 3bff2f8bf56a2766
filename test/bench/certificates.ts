import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { certificateKind, issuerKind } from '../../imports/index.js';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ControlPlane } from '../../operator/testing/control-plane/control-plane.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../operator/testing/control-plane/guarded-process.js';
import { account, install, installedFlags, operatorUser } from '../acceptance/given/installation.js';
import { until } from '../chaos/wait.js';
import { sampleOf } from '../soak/samples.js';

/** What a measurement is. */
export interface CertificatesOptions {
  readonly certificates: number;
  /** How long requests are counted. */
  readonly minutes: number;
  /** Flags of Node.js. */
  readonly nodeFlags: readonly string[];
  /** The compiled operator. */
  readonly program: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** An operator that was started and came to rest. */
export interface StartReport {
  /** Seconds from the start of the process until `/readyz` succeeds. */
  readonly readySeconds: number;
  /** Seconds from the start of the process until each Certificate was reconciled. */
  readonly reconciledSeconds: number;
  /** Resident memory at rest. */
  readonly residentMiB: number;
}

/** What a measurement has shown. */
export interface CertificatesReport {
  readonly certificates: number;
  readonly nodeFlags: readonly string[];
  /** Before there is any. */
  readonly startWithNone: StartReport;
  /** Seconds from the first create until the last one is ready. */
  readonly issuedWithinSeconds: number;
  /** With all of them. */
  readonly startWithAll: StartReport;
  readonly minutesAtRest: number;
  /** Requests of the operator in that time, without those below. */
  readonly requestsAtRest: Readonly<Record<string, number>>;
  /** Renewals of its lease and of watches, which an operator without resources makes too. */
  readonly leaseRequestsPerMinute: number;
  readonly watchRequestsPerMinute: number;
}

const namespace = 'bench';
const manager = 'a-person';
const mib = 1024 ** 2;
/** Milliseconds without a reconcile or a request after which the operator is at rest. */
const calm = 15_000;
const atOnce = 8;

interface Bench extends CertificatesOptions {
  readonly controlPlane: ControlPlane;
  readonly cluster: KubernetesCluster;
  readonly folder: string;
}

/** Measures an operator without Certificates, and with many of them at rest. */
export async function measureCertificates(options: CertificatesOptions): Promise<CertificatesReport> {
  const { certificates, nodeFlags, say } = options;
  const folder = await mkdtemp(join(tmpdir(), 'reconstruct-bench-'));
  await using controlPlane = await ControlPlane.start({ audit: true });
  const cluster = new KubernetesCluster(new Transport(await kubeconfig(controlPlane.kubeconfig)));
  try {
    await install(controlPlane);
    await controlPlane.kubectl(['create', 'namespace', namespace]);
    const bench: Bench = { ...options, controlPlane, cluster, folder };
    const none = await started(bench, 0);
    say(`an operator without Certificates: ${JSON.stringify(none.report)}`);
    const issuedWithinSeconds = await issueAll(bench);
    say(`${certificates} Certificates are ready after ${issuedWithinSeconds} s`);
    await none.stop();
    const all = await started(bench, certificates);
    say(`an operator with all of them: ${JSON.stringify(all.report)}`);
    const rest = await requestsOf(bench);
    await all.stop();
    const counts = { startWithNone: none.report, issuedWithinSeconds, startWithAll: all.report, ...rest };
    return { certificates, nodeFlags, ...counts };
  } finally {
    await cluster.transport.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Running {
  readonly report: StartReport;
  /** Ends it as a kubelet does, so that it gives up its lease and the next one does not wait for that. */
  readonly stop: () => Promise<unknown>;
}

async function started(bench: Bench, certificates: number): Promise<Running> {
  const { controlPlane, folder, nodeFlags, program } = bench;
  const [metrics, health] = [await freePort(), await freePort()];
  const KUBECONFIG = await controlPlane.serviceAccountKubeconfig({ ...account, minutes: 120 });
  const own = [`--lease-namespace=${account.namespace}`, `--health-port=${health}`, `--metrics-port=${metrics}`];
  const node = [process.execPath, ...nodeFlags, resolve(program), ...installedFlags(), ...own];
  const pidFile = join(folder, `operator-${certificates}.pid`);
  const shell = ['/bin/sh', '-c', 'echo $$ >"$0"; exec "$@"', pidFile];
  const command = [...shell, 'env', 'NODE_ENV=production', `KUBECONFIG=${KUBECONFIG}`, ...node];
  const began = performance.now();
  const seconds = () => round((performance.now() - began) / 1000);
  const operator = new GuardedProcess({ name: `operator-${certificates}`, command, folder });
  const isReady = async () => (await textOf(health, 'readyz')) !== undefined;
  await until(isReady, { what: 'the operator is ready', within: 120_000, every: 20 });
  const readySeconds = seconds();
  const isReconciled = async () => (await reconcilesOf(metrics)) >= certificates;
  await until(isReconciled, { what: 'each Certificate is reconciled', within: 600_000 });
  const reconciledSeconds = seconds();
  await atRest(bench, metrics);
  const { gauges } = sampleOf((await textOf(metrics, 'metrics')) ?? '', 0);
  const residentMiB = round((gauges.get('process_resident_memory_bytes') ?? 0) / mib);
  const stop = async () => {
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGTERM');
    await operator.exited;
  };
  return { stop, report: { readySeconds, reconciledSeconds, residentMiB } };
}

async function textOf(port: number, page: string): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/${page}`).catch(() => undefined);
  return answer?.ok ? answer.text() : undefined;
}

/** Reconciles of the controller of Certificates. */
async function reconcilesOf(port: number): Promise<number> {
  const text = (await textOf(port, 'metrics')) ?? '';
  const counts = [...text.matchAll(/^controller_runtime_reconcile_total\{(.*)\} (\d+)$/gm)];
  return counts.reduce((sum, [, labels = '', count]) => sum + (isOfCertificates(labels) ? Number(count) : 0), 0);
}

function isOfCertificates(labels: string): boolean {
  return /controller="certificate"/.test(labels);
}

/** Resolves when the operator has neither reconciled nor asked anything for a while. */
async function atRest({ controlPlane, signal }: Bench, metrics: number): Promise<void> {
  let since = performance.now();
  let [seen, position] = [-1, await controlPlane.auditPosition()];
  const isCalm = async () => {
    signal.throwIfAborted();
    const reconciles = await reconcilesOf(metrics);
    const end = await controlPlane.auditPosition();
    const asked = Object.keys(countsOf(await controlPlane.requests(position)).others).length > 0;
    if (asked || reconciles !== seen) since = performance.now();
    [seen, position] = [reconciles, end];
    return performance.now() - since > calm;
  };
  await until(isCalm, { what: 'the operator is at rest', within: 600_000, every: 1_000 });
}

/** @returns the seconds that it took */
async function issueAll({ cluster, certificates, signal }: Bench): Promise<number> {
  const began = performance.now();
  const place = (name: string) => ({ name, namespace });
  const apiVersion = 'reconstruct.dev/v1alpha1';
  const issuer = { apiVersion, kind: 'Issuer', metadata: place('internal'), spec: { ca: { commonName: 'internal' } } };
  await cluster.apply(issuerKind, issuer as never, { manager });
  let next = 0;
  const create = async () => {
    while (next < certificates && !signal.aborted) {
      const name = `certificate-${next++}`;
      const spec = { secretName: name, issuer: { name: 'internal' }, dnsNames: [`${name}.example.com`] };
      const manifest = { apiVersion, kind: 'Certificate', metadata: place(name), spec };
      await cluster.apply(certificateKind, manifest as never, { manager });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, create));
  const areReady = async () => {
    signal.throwIfAborted();
    const { items } = await cluster.list(certificateKind, { namespace });
    return items.every((item) => {
      const { conditions = [] } = (item as (typeof certificateKind)['resource'] & object).status ?? {};
      return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    });
  };
  await until(areReady, { what: 'every Certificate is ready', within: 1_800_000, every: 2_000 });
  return round((performance.now() - began) / 1000);
}

async function requestsOf({ controlPlane, minutes, signal }: Bench) {
  const since = await controlPlane.auditPosition();
  await pause(minutes * 60_000, undefined, { signal });
  const { others, leases, watches } = countsOf(await controlPlane.requests(since));
  const perMinute = (count: number) => round(count / minutes);
  return {
    minutesAtRest: minutes,
    requestsAtRest: others,
    leaseRequestsPerMinute: perMinute(leases),
    watchRequestsPerMinute: perMinute(watches),
  };
}

function countsOf(requests: Awaited<ReturnType<ControlPlane['requests']>>) {
  const own = requests.filter(({ user }) => user === operatorUser);
  const leases = own.filter(({ resource }) => resource === 'leases');
  const watches = own.filter(({ verb }) => verb === 'watch');
  const others: Record<string, number> = {};
  for (const one of own) {
    if (leases.includes(one) || watches.includes(one)) continue;
    const what = `${one.verb} ${[one.resource, one.subresource].filter(Boolean).join('/')}`;
    others[what] = (others[what] ?? 0) + 1;
  }
  return { others, leases: leases.length, watches: watches.length };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
