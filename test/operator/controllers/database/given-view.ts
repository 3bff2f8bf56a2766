import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import type { DatabaseResource } from '../../../../imports/index.js';
import { parametersAnnotation } from '../../../../operator/controllers/database/instances/instances.js';
import type { MemberReport } from '../../../../operator/controllers/database/ports/members.js';
import { situationOf } from '../../../../operator/controllers/database/situation.js';
import type { DatabaseView } from '../../../../operator/controllers/database/view.js';
import { revisionAnnotation } from '../../../../operator/members/index.js';
import { nodeState } from '../../../../operator/pods/node-state.js';
import type {
  LiveConfigMap,
  LiveNode,
  LivePersistentVolumeClaim,
  LivePod,
  LiveSecret,
} from '../../../../operator/runtime/index.js';
import { live } from '../../../given.js';
import { now, position } from './instances/given-instances.js';

type Input = Parameters<typeof withDefaults<typeof databaseSpec>>[1];

/** What differs of a Database of three that run in three zones, of which `orders-1` is the primary. */
export interface Changes {
  readonly spec?: Partial<Input>;
  readonly status?: object;
  readonly metadata?: object;
  /** By name. */
  readonly claims?: Readonly<Record<string, object>>;
  /** By name. */
  readonly pods?: Readonly<Record<string, object>>;
  readonly reports?: Readonly<Record<string, Partial<MemberReport>>> | undefined;
  readonly nodes?: Readonly<Record<string, object>>;
  readonly secrets?: readonly LiveSecret[];
  /** False where the operator may not look at Nodes. @default true */
  readonly seesNodes?: boolean;
  /** What Patroni keeps of promotions. */
  readonly history?: string;
}

const names = ['orders-1', 'orders-2', 'orders-3'];

const ready = { type: 'Ready', status: 'True' } as const;

/** What the controller sees of it. */
export function databaseView(changes: Changes = {}): DatabaseView {
  const spec = withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Delete', ...changes.spec });
  const metadata = { name: 'orders', namespace: 'shop', ...changes.metadata };
  const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata, spec };
  const resource = live({
    ...object,
    ...(changes.status && { status: changes.status }),
  }) as unknown as DatabaseResource;
  const { seesNodes = true } = changes;
  const facts = { resource, now: new Date(now), isServed: () => seesNodes };
  const empty = { ...facts, ...seen([], []) };
  const { revision, parameters } = situationOf(empty);
  const annotations = { [revisionAnnotation]: revision, [parametersAnnotation]: parameters };
  const pods = names.map((name) => pod(name, annotations, changes.pods?.[name]));
  const nodes = (seesNodes ? names : []).map((name) => node(name, changes.nodes?.[name.replace('orders', 'node')]));
  const view = seen(pods, nodes, changes);
  const members = 'reports' in changes && !changes.reports ? unknown : told(changes.reports);
  return { ...facts, ...view, polled: { credentials: undefined, members, restart: undefined, goneNodes: undefined } };
}

const unknown = { known: false, why: 'no instance responds', since: now, earlier: [] } as const;

function told(changes: Changes['reports'] = {}) {
  const streaming = { 'orders-2': { synchronous: true }, 'orders-3': { synchronous: false } };
  const all = names.map((name, index): readonly [string, MemberReport] => {
    const common = { state: 'running', timeline: 2, position, version: '15.20' } as const;
    const own =
      index === 0 ? { role: 'primary' as const, ...common, streaming } : { role: 'replica' as const, ...common };
    return [name, { ...own, ...changes[name] }];
  });
  return { known: true, value: { reports: Object.fromEntries(all), silent: {} }, at: now, earlier: [] } as const;
}

function seen(pods: readonly LivePod[], nodes: readonly LiveNode[], changes: Changes = {}) {
  const { secrets = [], history = '[]' } = changes;
  const claims = pods.map(({ metadata: { name } }) => claim(name, changes.claims?.[name]));
  const kinds: Readonly<Record<string, readonly object[]>> = {
    Pod: pods,
    PersistentVolumeClaim: claims,
    Secret: secrets,
    ConfigMap: [config('postgres'), config('config', { history })],
  };
  const owned = { of: ({ kind }: { readonly kind: string }) => kinds[kind] ?? [] } as unknown as DatabaseView['owned'];
  const reads = {
    nodes: nodes.map(nodeState),
    claims: [],
    sources: [],
    backup: undefined,
    archives: [],
    archiveClaimants: [],
  };
  return {
    owned,
    reads,
    polled: { credentials: undefined, members: undefined, restart: undefined, goneNodes: undefined },
  };
}

function pod(name: string, annotations: Readonly<Record<string, string>>, changes: object = {}): LivePod {
  const metadata = { name, namespace: 'shop', annotations, ...(name === 'orders-1' && { labels: { role: 'master' } }) };
  const status = { phase: 'Running', podIP: '10.0.0.1', conditions: [ready], ...changes };
  const spec = { nodeName: name.replace('orders', 'node'), containers: [] };
  return live({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status });
}

function config(suffix: string, annotations: Readonly<Record<string, string>> = {}): LiveConfigMap {
  const metadata = { name: `orders-${suffix}`, namespace: 'shop', annotations };
  return live({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

function claim(name: string, changes: object = {}): LivePersistentVolumeClaim {
  const spec = { resources: { requests: { storage: '1Gi' } } };
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
  return live({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop' },
    spec,
    status,
    ...changes,
  });
}

function node(instance: string, changes: object = {}): LiveNode {
  const labels = { 'topology.kubernetes.io/zone': instance.replace('orders', 'zone') };
  const status = { conditions: [ready] };
  return live({
    ...{
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: instance.replace('orders', 'node'), labels },
      spec: {},
      status,
    },
    ...changes,
  });
}
