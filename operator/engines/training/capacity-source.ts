import { numericQuantity } from '../../../src/manifest/quantity.js';
import type { Amounts, CapacityAnswer, NodeRoom } from '../../controllers/training/ports/capacity.js';
import { Node, type ObjectKind, Pod } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import { allPages } from '../../runtime/ports/all-pages.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import type { SourceCallOptions } from '../../runtime/ports/external-port.js';
import { gangsOf, type ListedJob, type ListedWorker } from './gangs.js';

/** Objects in a page. */
const limit = 500;

interface Container {
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  readonly restartPolicy?: string;
}

interface ListedPod extends LiveObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly schedulingGates?: readonly unknown[];
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly overhead?: Readonly<Record<string, string>>;
    /** Admission sets it by the PriorityClass. */
    readonly priority?: number;
  } & Pick<NonNullable<ListedWorker['needs']['podTemplate']>, 'nodeSelector' | 'tolerations' | 'affinity'>;
  readonly status?: { readonly phase?: string };
}

/** The kind whose jobs are listed. An older version of the API server has no such kind, and no Pods of it. */
const TrainingJob: ObjectKind = {
  ...{ group: 'reconstruct.dev', version: 'v1alpha1', kind: 'TrainingJob', plural: 'trainingjobs', namespaced: true },
};

interface ListedTrainingJob extends LiveObject {
  readonly spec: {
    readonly workers: number;
    readonly spares?: number;
    readonly minWorkers?: number;
    readonly topology?: { readonly key: string; readonly policy?: string };
  };
  readonly status?: { readonly ranks?: readonly { readonly pod: string }[] };
}

interface ListedNode extends LiveObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Reads all nodes and Pods, page by page, and keeps only sums of them. */
export function capacitySource(cluster: Pick<Cluster, 'list'>) {
  return async (_: Record<string, never>, { signal }: Pick<SourceCallOptions, 'signal'>): Promise<CapacityAnswer> => {
    const [used, leaving] = [new Map<string, Record<string, number>>(), new Map<string, Record<string, number>>()];
    const workers: ListedWorker[] = [];
    for await (const pod of listed<ListedPod>(cluster, Pod, signal)) {
      count(pod, used);
      if (pod.metadata.deletionTimestamp !== undefined) count(pod, leaving);
      workers.push(...workerOf(pod));
    }
    const nodes: NodeRoom[] = [];
    for await (const node of listed<ListedNode>(cluster, Node, signal)) {
      const { name } = node.metadata;
      if (isUsable(node)) nodes.push({ ...roomOf(node, used.get(name) ?? {}), ...leavingOf(leaving.get(name)) });
    }
    const jobs: ListedJob[] = [];
    // Without workers, nobody asks.
    if (workers.length > 0)
      for await (const job of listed<ListedTrainingJob>(cluster, TrainingJob, signal)) jobs.push(jobOf(job));
    return { nodes: nodes.toSorted((a, b) => a.name.localeCompare(b.name)), ...gangsOf(workers, jobs) };
  };
}

const leavingOf = (amounts: Amounts | undefined) => (amounts === undefined ? {} : { leaving: amounts });

function jobOf({ metadata, spec, status }: ListedTrainingJob): ListedJob {
  const { workers, spares = 0, minWorkers = workers, topology } = spec;
  const members = (status?.ranks ?? []).map(({ pod }) => pod);
  const together = topology?.policy === 'Required' ? { topologyKey: topology.key } : {};
  const { name: job, namespace = '', uid } = metadata;
  return { ...{ namespace, job, uid, workers, spares, minWorkers, members }, ...together };
}

async function* listed<T extends LiveObject>(
  cluster: Pick<Cluster, 'list'>,
  kind: ObjectKind,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  for await (const { items } of allPages({ cluster, kind }, { limit, signal })) yield* items as readonly T[];
}

function count({ spec, status }: ListedPod, used: Map<string, Record<string, number>>): void {
  if (spec.nodeName === undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return;
  const sums = used.get(spec.nodeName) ?? {};
  for (const [name, amount] of Object.entries(requestsOf(spec))) sums[name] = (sums[name] ?? 0) + amount;
  sums['pods'] = (sums['pods'] ?? 0) + 1;
  used.set(spec.nodeName, sums);
}

/** The requests of a Pod as the scheduler counts them. A restartable init container runs beside the others. */
function requestsOf({ containers, initContainers = [], overhead = {} }: ListedPod['spec']): Amounts {
  const beside = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
  const sums: Record<string, number> = {};
  for (const { resources } of beside) add(sums, resources?.requests);
  for (const { resources } of initContainers)
    for (const [name, text] of Object.entries(resources?.requests ?? {}))
      sums[name] = Math.max(sums[name] ?? 0, amountOf(text));
  add(sums, overhead);
  return sums;
}

function add(sums: Record<string, number>, amounts: Readonly<Record<string, string>> = {}): void {
  for (const [name, text] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amountOf(text);
}

/** Empty for other Pods, and for those that have ended. */
function workerOf({ metadata, spec, status }: ListedPod): readonly ListedWorker[] {
  const job = metadata.labels?.['reconstruct.dev/training-job'];
  const isWorker = metadata.labels?.['reconstruct.dev/training-role'] === 'worker';
  if (job === undefined || !isWorker || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  const { nodeSelector, tolerations, affinity, priority = 0, schedulingGates = [] } = spec;
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === TrainingJob.kind)?.uid;
  return [
    {
      ...{ namespace: metadata.namespace ?? '', job, name: metadata.name, created: metadata.creationTimestamp ?? '' },
      ...{ owner, priority, node: spec.nodeName, isGated: schedulingGates.length > 0 },
      isEnding: metadata.deletionTimestamp !== undefined,
      needs: { requests: requestsOf(spec), podTemplate: { nodeSelector, tolerations, affinity } as never },
    },
  ];
}

function isUsable({ spec, status }: ListedNode): boolean {
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  return isReady && spec?.unschedulable !== true;
}

function roomOf({ metadata, spec, status }: ListedNode, used: Amounts): NodeRoom {
  const amounts = Object.entries(status?.allocatable ?? {}).map(([name, text]) => [name, amountOf(text)] as const);
  const known = (all: readonly (readonly [string, number])[]) =>
    Object.fromEntries(all.filter(([, amount]) => !Number.isNaN(amount)));
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    taints: (spec?.taints ?? []).map(({ key, value = '', effect }) => ({ key, value, effect })),
    free: known(amounts.map(([name, amount]) => [name, amount - (used[name] ?? 0)])),
    allocatable: known(amounts),
  };
}

/** NaN if it cannot be read, and so is each sum with it. */
function amountOf(quantity: string): number {
  try {
    return numericQuantity(quantity);
  } catch {
    return Number.NaN;
  }
}
