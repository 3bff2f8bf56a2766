import type { LiveObject } from './object.js';

/**
 * A kind as the API server addresses it. `T` is the type of its live objects, `N` its name; both let the compiler tell
 * one kind from another.
 */
export interface ObjectKind<T extends LiveObject = LiveObject, N extends string = string> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: N;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Objects may be in other namespaces than the resource's own: see `crossNamespace`. @default false */
  readonly crossNamespace?: boolean;
  /** Several resources may own an object of it together: see `shared`. @default false */
  readonly shared?: boolean;
  /** The garbage collector does not take its objects: see `withoutOwnerReference`. @default false */
  readonly withoutOwnerReference?: boolean;
  /** The API server may lack it: see `optional`. @default false */
  readonly optional?: boolean;
  /** The fields of its status, where it has one that controllers write. @default - `conditions`, `observedGeneration` */
  readonly statusFields?: readonly string[];
  /** Never set: carries the type. */
  readonly resource?: T;
}

/** The type of a kind's live objects. */
export type LiveOf<K> = K extends ObjectKind<infer T> ? T : never;

export function apiVersionOf({ group, version }: Pick<ObjectKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * A kind in `owns`, `watchesSiblings` or `reads` for which passes do not wait where the API server does not serve it: `facts.isServed`
 * tells, and nothing of it may be desired then. One that is read, and that the operator may not see, counts as not served.
 */
export function optional<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, optional: true });
}

const names = new WeakMap<object, string>();

/** Group and kind, which name a kind in whatever version it is served. Every event asks, so each is put together once. */
export function groupKindOf(of: Pick<ObjectKind, 'group' | 'kind'>): string {
  const known = names.get(of);
  if (known !== undefined) return known;
  const name = of.group === '' ? of.kind : `${of.kind}.${of.group}`;
  names.set(of, name);
  return name;
}

/** Each kind once, in whatever version it was named first. */
export function distinct(kinds: readonly ObjectKind[]): ObjectKind[] {
  const names = kinds.map(groupKindOf);
  return kinds.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

/** True where a kind is among others, in whatever version. */
export function includes(kinds: readonly ObjectKind[], kind: ObjectKind): boolean {
  return kinds.some((other) => groupKindOf(other) === groupKindOf(kind));
}

/** The group of an `apiVersion`: `apps` of `apps/v1`, empty of `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** A condition of an object of a built-in kind. */
export interface LiveCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly lastTransitionTime?: string;
}

/** The parts of a live Deployment that tell how far a rollout got. */
export interface LiveDeployment extends LiveObject {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** The parts of a live DaemonSet that tell on how many nodes its pods are. */
export interface LiveDaemonSet extends LiveObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberReady?: number;
    readonly numberAvailable?: number;
  };
}

/** The parts of a live StatefulSet that tell how far a rollout got. */
export interface LiveStatefulSet extends LiveObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

/** The parts of a live Job that tell how it went: its condition `Complete` or `Failed` is True when it is over. */
export interface LiveJob extends LiveObject {
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** A live ControllerRevision: what somebody wants to remember. */
export interface LiveControllerRevision extends LiveObject {
  readonly data: { readonly spec: unknown };
  readonly revision: number;
}

/** A live ConfigMap. */
export interface LiveConfigMap extends LiveObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A live Secret. */
export interface LiveSecret extends LiveObject {
  readonly type?: string;
  /** By key, in base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** How a container ended. */
export interface LiveTermination {
  readonly exitCode: number;
  readonly reason?: string;
  /** What it said last, or wrote where it may. */
  readonly message?: string;
}

/** What a container of a live Pod is at. */
export interface LiveContainer {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: LiveTermination;
  };
  /** Of the run before this one. */
  readonly lastState?: { readonly terminated?: LiveTermination };
}

/** The parts of a live Pod that tell where it runs and how it is. */
export interface LivePod extends LiveObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly LiveCondition[];
    readonly containerStatuses?: readonly LiveContainer[];
  };
}

/** The parts of a live PersistentVolumeClaim that tell how large it is. */
export interface LivePersistentVolumeClaim extends LiveObject {
  readonly spec?: {
    readonly storageClassName?: string;
    /** Its PersistentVolume, once it has one. */
    readonly volumeName?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** The parts of a live Node that tell whether it takes pods. Its labels say where it is. */
export interface LiveNode extends LiveObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly LiveCondition[] };
}

function namespaced<T extends LiveObject = LiveObject>() {
  return <const N extends string>(group: string, version: string, kind: N, plural: string): ObjectKind<T, N> => ({
    group,
    version,
    kind,
    plural,
    namespaced: true,
  });
}

function clusterScoped<T extends LiveObject = LiveObject>() {
  return <const N extends string>(group: string, version: string, kind: N, plural: string): ObjectKind<T, N> => ({
    ...namespaced<T>()(group, version, kind, plural),
    namespaced: false,
  });
}

export const ConfigMap = namespaced<LiveConfigMap>()('', 'v1', 'ConfigMap', 'configmaps');
export const Secret = namespaced<LiveSecret>()('', 'v1', 'Secret', 'secrets');
export const Service = namespaced()('', 'v1', 'Service', 'services');
export const ServiceAccount = namespaced()('', 'v1', 'ServiceAccount', 'serviceaccounts');
export const Pod = namespaced<LivePod>()('', 'v1', 'Pod', 'pods');
export const PersistentVolumeClaim = namespaced<LivePersistentVolumeClaim>()(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);
export const Deployment = namespaced<LiveDeployment>()('apps', 'v1', 'Deployment', 'deployments');
export const DaemonSet = namespaced<LiveDaemonSet>()('apps', 'v1', 'DaemonSet', 'daemonsets');
export const StatefulSet = namespaced<LiveStatefulSet>()('apps', 'v1', 'StatefulSet', 'statefulsets');
export const ControllerRevision = namespaced<LiveControllerRevision>()(
  'apps',
  'v1',
  'ControllerRevision',
  'controllerrevisions',
);
export const Job = namespaced<LiveJob>()('batch', 'v1', 'Job', 'jobs');
export const CronJob = namespaced()('batch', 'v1', 'CronJob', 'cronjobs');
export const HorizontalPodAutoscaler = namespaced()(
  'autoscaling',
  'v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);
export const PodDisruptionBudget = namespaced()('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets');
export const NetworkPolicy = namespaced()('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies');
export const Ingress = namespaced()('networking.k8s.io', 'v1', 'Ingress', 'ingresses');
export const Role = namespaced()('rbac.authorization.k8s.io', 'v1', 'Role', 'roles');
export const RoleBinding = namespaced()('rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings');
export const ClusterRole = clusterScoped()('rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles');
export const ClusterRoleBinding = clusterScoped()(
  'rbac.authorization.k8s.io',
  'v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
);
export const Node = clusterScoped<LiveNode>()('', 'v1', 'Node', 'nodes');
export const Namespace = clusterScoped()('', 'v1', 'Namespace', 'namespaces');
export const Lease = namespaced()('coordination.k8s.io', 'v1', 'Lease', 'leases');
export const Event = namespaced()('events.k8s.io', 'v1', 'Event', 'events');

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
