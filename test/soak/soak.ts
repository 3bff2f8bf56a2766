import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AlgorithmSpecInput, algorithmKind } from '../../imports/index.js';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ControlPlane } from '../../operator/testing/control-plane/control-plane.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../operator/testing/control-plane/guarded-process.js';
import { account, install, installedFlags } from '../acceptance/given/installation.js';
import { until } from '../chaos/wait.js';
import { afterFalls, grown, newAnswers, type Sample, sampleOf, slopeOf } from './samples.js';

/** What a run is. */
export interface SoakOptions {
  readonly minutes: number;
  readonly resources: number;
  readonly editsPerSecond: number;
  /** KiB a minute by which what is left of the heap may grow after the first minutes, and what is outside of it. */
  readonly mayGrow: number;
  /** The compiled operator. */
  readonly program: string;
  /** Flags of Node. @default those of the image */
  readonly nodeFlags?: readonly string[] | undefined;
  readonly say: (line: string) => void;
  /** Ends the run before its time; what was started is gone then too. */
  readonly signal: AbortSignal;
}

/** What a run has shown. */
export interface SoakReport {
  readonly nodeFlags: readonly string[];
  readonly edits: number;
  readonly samples: number;
  /** From when on samples count. */
  readonly afterMinutes: number;
  /** MiB, of the samples that count. */
  readonly residentMiB: {
    readonly first: number;
    readonly last: number;
    readonly least: number;
    readonly most: number;
  };
  /** KiB a minute, by least squares over the samples that count; of the heap, over those right after it was cleared. */
  readonly slopes: { readonly resident: number; readonly left: number; readonly external: number };
  /** How often the heap was cleared. */
  readonly clearings: number;
  /** Gauges that say what may leak, at first and at last. */
  readonly levels: Readonly<Record<string, readonly [first: number, last: number]>>;
  /** Answers of the API server, such as `PATCH 409`, that came for the first time after the samples began to count. */
  readonly newAnswers: readonly string[];
  /** What must not be and was, in a line each. */
  readonly broken: readonly string[];
}

const resident = 'process_resident_memory_bytes';
const leaks = [
  'nodejs_active_handles_total',
  'nodejs_active_resources_total',
  'nodejs_active_requests_total',
  'process_open_fds',
] as const;
const namespaces = ['soak-a', 'soak-b', 'soak-c', 'soak-d'];
const manager = 'a-person';
/** Minutes that making all resources, and looking whether all are well in the end, may take. */
const setUp = 60;
/** Milliseconds between two samples. */
const every = 5_000;
const atOnce = 8;
const kib = 1024;
/** Clearings of the heap that it takes for a slope. */
const fewest = 3;

/** Lets one operator work for long over many resources of which one after the other is edited, and looks what grows. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const nodeFlags = options.nodeFlags ?? (await imageFlags());
  const folder = await mkdtemp(join(tmpdir(), 'reconstruct-soak-'));
  try {
    await using controlPlane = await ControlPlane.start();
    await install(controlPlane);
    for (const name of namespaces) await controlPlane.kubectl(['create', 'namespace', name]);
    const port = await freePort();
    const operator = await startOperator(controlPlane, { folder, port, ...options, nodeFlags });
    try {
      return { nodeFlags, ...(await watchOver(operator, controlPlane, port, options)) };
    } finally {
      await operator.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOperator(
  controlPlane: ControlPlane,
  how: {
    readonly folder: string;
    readonly port: number;
    readonly nodeFlags: readonly string[];
    readonly program: string;
    readonly minutes: number;
  },
): Promise<GuardedProcess> {
  const minutes = Math.ceil(how.minutes) + setUp;
  const KUBECONFIG = await controlPlane.serviceAccountKubeconfig({ ...account, minutes });
  const own = [`--lease-namespace=${account.namespace}`, '--health-port=0', `--metrics-port=${how.port}`];
  const node = [process.execPath, ...how.nodeFlags, resolve(how.program), ...installedFlags(), ...own];
  const command = ['env', 'NODE_ENV=production', `KUBECONFIG=${KUBECONFIG}`, ...node];
  return new GuardedProcess({ name: 'operator', command, folder: how.folder });
}

async function watchOver(
  operator: GuardedProcess,
  controlPlane: ControlPlane,
  port: number,
  { minutes, resources, editsPerSecond, mayGrow, say, signal }: SoakOptions,
): Promise<Omit<SoakReport, 'nodeFlags'>> {
  const cluster = new KubernetesCluster(new Transport(await kubeconfig(controlPlane.kubeconfig)));
  try {
    await createAll(cluster, resources, signal);
    await untilAllObserved(cluster, signal);
    say(`${resources} resources are made; an edit every ${Math.round(1000 / editsPerSecond)} ms from now on`);
    const samples: Sample[] = [];
    const began = performance.now();
    const minute = () => (performance.now() - began) / 60_000;
    const isOver = () => minute() >= minutes || signal.aborted || !operator.running;
    const sampling = sampleUntil(isOver, { port, minute, samples, say });
    const edits = await editUntil(isOver, { cluster, resources, editsPerSecond });
    await sampling;
    signal.throwIfAborted();
    if (!operator.running) throw new Error(`the operator ended; its log ends so:\n${await operator.lastLines()}`);
    await untilAllObserved(cluster, signal); // it was at work to the end
    return judged(samples, { edits, afterMinutes: Math.min(10, minutes / 3), mayGrow });
  } finally {
    await cluster.transport.close();
  }
}

function judged(
  all: readonly Sample[],
  { edits, afterMinutes, mayGrow }: { readonly edits: number; readonly afterMinutes: number; readonly mayGrow: number },
): Omit<SoakReport, 'nodeFlags'> {
  const samples = all.filter(({ minute }) => minute >= afterMinutes);
  const values = (name: string) => samples.map(({ gauges }) => gauges.get(name) ?? 0);
  const points = (name: string) =>
    samples.map(({ minute, gauges }) => [minute, (gauges.get(name) ?? 0) / kib] as const);
  const left = afterFalls(points('nodejs_heap_size_used_bytes'));
  const mib = (bytes: number | undefined) => round((bytes ?? 0) / kib / kib);
  const rss = values(resident);
  const slopes = {
    resident: round(slopeOf(points(resident))),
    left: round(slopeOf(left)),
    external: round(slopeOf(points('nodejs_external_memory_bytes'))),
  };
  const tooMuch = [
    ...(left.length < fewest
      ? [`the heap was cleared ${left.length} times, which tells no slope: run it for longer`]
      : []),
    ...(slopes.left > mayGrow ? [`what is left of the heap grows by ${slopes.left} KiB a minute`] : []),
    ...(slopes.external > mayGrow ? [`memory outside of the heap grows by ${slopes.external} KiB a minute`] : []),
  ];
  return {
    ...{ edits, samples: samples.length, afterMinutes, slopes, clearings: left.length },
    residentMiB: {
      first: mib(rss[0]),
      last: mib(rss.at(-1)),
      least: mib(Math.min(...rss)),
      most: mib(Math.max(...rss)),
    },
    levels: Object.fromEntries(leaks.map((name) => [name, [values(name)[0] ?? 0, values(name).at(-1) ?? 0] as const])),
    newAnswers: newAnswers(samples),
    broken: [...tooMuch, ...grown(samples)],
  };
}

async function sampleUntil(
  isOver: () => boolean,
  {
    port,
    minute,
    samples,
    say,
  }: {
    readonly port: number;
    readonly minute: () => number;
    readonly samples: Sample[];
    readonly say: (line: string) => void;
  },
): Promise<void> {
  let told = 0;
  while (!isOver()) {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    const sample = sampleOf(text, minute());
    samples.push(sample);
    if (sample.minute >= told) {
      const mib = round((sample.gauges.get(resident) ?? 0) / kib / kib);
      say(`minute ${Math.floor(sample.minute)}: ${mib} MiB resident`);
      told = Math.floor(sample.minute) + 1;
    }
    await pause(every);
  }
}

/** @returns how many edits were made */
async function editUntil(
  isOver: () => boolean,
  how: { readonly cluster: KubernetesCluster; readonly resources: number; readonly editsPerSecond: number },
): Promise<number> {
  const began = performance.now();
  let edits = 0;
  while (!isOver()) {
    await state(how.cluster, edits % how.resources, ++edits);
    await pause(Math.max(0, began + (edits * 1000) / how.editsPerSecond - performance.now()));
  }
  return edits;
}

async function createAll(cluster: KubernetesCluster, resources: number, signal: AbortSignal): Promise<void> {
  let next = 0;
  const create = async () => {
    while (next < resources && !signal.aborted) await state(cluster, next++, 0);
  };
  await Promise.all(Array.from({ length: atOnce }, create));
}

/** Without Pods: there are no nodes that could run any, and so each edit is rolled out. */
async function state(cluster: KubernetesCluster, index: number, version: number): Promise<void> {
  const spec: AlgorithmSpecInput = {
    image: `server:${version}`,
    replicas: 0,
    config: { 'a.yaml': `version-${version}` },
  };
  const metadata = { name: `reco-${index}`, namespace: namespaces[index % namespaces.length] ?? '' };
  await cluster.apply(algorithmKind, { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata, spec } as never, {
    manager,
  });
}

async function untilAllObserved(cluster: KubernetesCluster, signal: AbortSignal): Promise<void> {
  const observed = async () => {
    signal.throwIfAborted();
    const { items } = await cluster.list(algorithmKind, {});
    return items.every((item) => {
      const { status } = item as { readonly status?: { readonly observedGeneration?: number } };
      return status?.observedGeneration === item.metadata.generation;
    });
  };
  await until(observed, { what: 'every resource is observed', within: 900_000, every: 2_000 });
}

/** The flags of Node in the image's entry point. */
async function imageFlags(): Promise<readonly string[]> {
  const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
  return (JSON.parse(entry) as readonly string[]).filter((part) => part.startsWith('--'));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
