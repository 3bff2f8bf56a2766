import {
  DaemonSet,
  Deployment,
  Job,
  Node,
  type ObjectKind,
  PersistentVolumeClaim,
  Pod,
  Service,
  StatefulSet,
} from '../../operator/index.js';
import type { MemoryCluster } from '../../operator/testing/index.js';
import type { Loose } from '../given.js';
import { kubelet } from './recorded-cluster.js';

const manager = kubelet;
const nodes = ['node-1', 'node-2', 'node-3'];

/** Creates three nodes in three zones. */
export async function createNodes(cluster: MemoryCluster): Promise<void> {
  for (const [index, name] of nodes.entries()) {
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${index + 1}` };
    await cluster.apply(Node, object(Node, { name, labels }), { manager });
    await report(cluster, Node, { name }, { conditions: [{ type: 'Ready', status: 'True' }] });
  }
}

/** Kubernetes at its best: PVCs are bound, Pods run and are ready, and workloads are rolled out, all at once. */
export async function reportStatuses(cluster: MemoryCluster, now: string): Promise<void> {
  for (const kind of statusKinds) {
    for (const live of [...cluster.peek(kind).values()] as Loose[]) {
      if (kind === Pod) await bind(cluster, live);
      if (kind === Service) await assignNodePorts(cluster, live);
      const status = live['spec']?.schedulingGates?.length > 0 ? undefined : statusOf(live, now);
      if (status) await report(cluster, kind, live.metadata, status);
    }
  }
}

const gatewayApi = { group: 'gateway.networking.k8s.io', version: 'v1', namespaced: true };
const statusKinds: readonly ObjectKind[] = [
  ...[Service, PersistentVolumeClaim, Pod, Deployment, StatefulSet, DaemonSet, Job],
  { ...gatewayApi, kind: 'Gateway', plural: 'gateways' },
  { ...gatewayApi, kind: 'HTTPRoute', plural: 'httproutes' },
];

/** Undefined if the object has its status already. */
function statusOf({ kind, metadata, spec, status }: Loose, now: string): object | undefined {
  const { generation } = metadata;
  const since = { lastTransitionTime: now, observedGeneration: generation };
  const condition = (type: string) => ({ type, status: 'True', reason: type, message: '', ...since });
  switch (kind) {
    case 'PersistentVolumeClaim': {
      const { storage } = spec.resources.requests;
      return status?.capacity?.storage === storage ? undefined : { phase: 'Bound', capacity: { storage } };
    }
    case 'Service':
      return undefined;
    case 'Pod':
      return status?.phase === undefined ? podStatus(metadata.name, spec, now) : undefined;
    case 'Job':
      if (status?.succeeded) return undefined;
      return { succeeded: 1, startTime: now, completionTime: now, conditions: [condition('Complete')] };
    case 'Gateway':
      if (status?.conditions?.[0].observedGeneration === generation) return undefined;
      return { conditions: [condition('Accepted'), condition('Programmed')] };
    case 'HTTPRoute': {
      const [parentRef] = spec.parentRefs;
      if (status?.parents?.[0].conditions[0].observedGeneration === generation) return undefined;
      return {
        parents: [{ parentRef, controllerName: 'traefik.io/gateway-controller', conditions: [condition('Accepted')] }],
      };
    }
    default: {
      if (status?.observedGeneration === generation) return undefined;
      const replicas = spec.replicas ?? 3;
      return {
        ...{ observedGeneration: generation, replicas, updatedReplicas: replicas, readyReplicas: replicas },
        ...{ availableReplicas: replicas, desiredNumberScheduled: replicas, numberReady: replicas },
        ...{ updatedNumberScheduled: replicas, numberAvailable: replicas, conditions: [condition('Available')] },
      };
    }
  }
}

/** The scheduler gives a Pod without gates a node. */
async function bind(cluster: MemoryCluster, { metadata, spec }: Loose): Promise<void> {
  if (spec.nodeName !== undefined || spec.schedulingGates?.length > 0) return;
  const value = nodes[sumOf(metadata.name) % nodes.length];
  await cluster.patch(Pod, metadata, [{ op: 'add', path: '/spec/nodeName', value }], { manager });
}

async function assignNodePorts(cluster: MemoryCluster, { metadata, spec }: Loose): Promise<void> {
  if (spec.type !== 'NodePort') return;
  for (const [index, { nodePort }] of spec.ports.entries()) {
    if (nodePort !== undefined) continue;
    const value = 30_000 + (sumOf(metadata.name) % 2_000) + index;
    await cluster.patch(Service, metadata, [{ op: 'add', path: `/spec/ports/${index}/nodePort`, value }], { manager });
  }
}

function podStatus(pod: string, spec: Loose<object>, now: string): object {
  const [, task] = /-(make|verify|expire|close)-\d+(-x[0-9a-f]+)?$/.exec(pod) ?? [];
  const state = task
    ? { terminated: { exitCode: 0, message: workerResult(task, now) } }
    : { running: { startedAt: now } };
  const containerStatuses = spec['containers'].map(({ name, image }: { name: string; image: string }) => ({
    ...{ name, image, imageID: '', ready: !task, started: true, restartCount: 0, state },
  }));
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    ...{ type, status: 'True', lastTransitionTime: now, lastProbeTime: null },
  }));
  const podIP = `10.0.${sumOf(pod) % 250}.${pod.length}`;
  const phase = task ? 'Succeeded' : 'Running';
  return { phase, startTime: now, podIP, podIPs: [{ ip: podIP }], containerStatuses, conditions };
}

/** The termination message of the worker of a DatabaseBackup. */
function workerResult(task: string, now: string): string {
  const results: Readonly<Record<string, object>> = {
    make: {
      ...{
        label: `${now.replace(/[-:Z]/g, '').replace('T', '-')}F`,
        instance: 'orders-2',
        started: now,
        finished: now,
      },
      ...{ start: '0/2000028', stop: '0/2000100', timeline: 1, sizeBytes: 20_000_000, storedBytes: 2_000_000 },
      firstRecoverable: now,
    },
    verify: { good: true, message: 'restored' },
    expire: { expired: true },
    close: { closed: true },
  };
  return JSON.stringify(results[task]);
}

/** The same number for the same name. */
function sumOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

/** Deletes objects whose owners are gone. @param kinds that can be owned or own */
export async function collectGarbage(cluster: MemoryCluster, kinds: readonly ObjectKind[]): Promise<void> {
  const all = kinds.flatMap((kind) => [...cluster.peek(kind).values()].map((object) => ({ kind, object })));
  const uids = new Set(all.map(({ object }) => object.metadata.uid));
  for (const { kind, object } of all) {
    const { ownerReferences = [], deletionTimestamp, uid } = object.metadata;
    if (deletionTimestamp || ownerReferences.length === 0 || ownerReferences.some((owner) => uids.has(owner.uid)))
      continue;
    await cluster.remove(kind, object.metadata, { uid });
  }
}

async function report(
  cluster: MemoryCluster,
  kind: ObjectKind,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  status: object,
): Promise<void> {
  const reported = { ...object(kind, { name, ...(namespace && { namespace }) }), status };
  await cluster.apply(kind, reported, { manager, subresource: 'status' });
}

function object(
  { group, version, kind }: ObjectKind,
  metadata: { readonly name: string; readonly [field: string]: unknown },
) {
  return { apiVersion: group ? `${group}/${version}` : version, kind, metadata };
}
