import type { LiveObject } from './object.js';

/**
 * A kind as the API server addresses it. `T` is the type of its live objects, and `N` is its name. Both let the
 * compiler distinguish kinds.
 */
export interface ObjectKind<T extends LiveObject = LiveObject, N extends string = string> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: N;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Objects may be in namespaces other than the resource's own: see `crossNamespace`. @default false */
  readonly crossNamespace?: boolean;
  /** The other namespaces that its objects may be in: see `crossNamespace`. @default - any */
  readonly namespaces?: OtherNamespaces;
  /** Several resources may own an object together: see `shared`. @default false */
  readonly shared?: boolean;
  /** The garbage collector does not delete its objects: see `withoutOwnerReference`. @default false */
  readonly withoutOwnerReference?: boolean;
  /** Fields of its objects that may change at any rate: see `frequentlyChanged`. @default - none */
  readonly frequentFields?: readonly string[];
  /** The API server may not serve it: see `optional`. @default false */
  readonly optional?: boolean;
  /** The fields of its status, if it has one that controllers write. @default - `conditions`, `observedGeneration` */
  readonly statusFields?: readonly string[];
  /** Never set. It carries the type. */
  readonly resource?: T;
}

/** Names of namespaces, or whichever the operator watches. */
export type OtherNamespaces = readonly string[] | 'watched';

/** The type of a kind's live objects. */
export type LiveOf<K> = K extends ObjectKind<infer T> ? T : never;

export function apiVersionOf({ group, version }: Pick<ObjectKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * A kind in `owns`, `watchesSiblings` or `reads` that the API server need not serve. Reconciles do not wait for it.
 * `facts.isServed` reports whether it is served. If it is not, `desire` must not render objects of it. A kind in
 * `reads` that the operator may not list counts as not served.
 */
export function optional<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, optional: true });
}

const names = new WeakMap<object, string>();

/** Group and kind, which identify a kind in any served version. Every event needs it, so each is built once. */
export function groupKindOf(of: Pick<ObjectKind, 'group' | 'kind'>): string {
  const name = names.get(of) ?? (of.group === '' ? of.kind : `${of.kind}.${of.group}`);
  names.set(of, name);
  return name;
}

/** Each kind once, in the version that was named first. */
export function distinct(kinds: readonly ObjectKind[]): ObjectKind[] {
  const names = kinds.map(groupKindOf);
  return kinds.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

/** True if a kind is among others, in any version. */
export function includes(kinds: readonly ObjectKind[], kind: ObjectKind): boolean {
  return kinds.some((other) => groupKindOf(other) === groupKindOf(kind));
}

/** The group of an `apiVersion`: `apps` for `apps/v1`, empty for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** True if objects of a kind may be in a namespace other than the resource's own. */
export function mayBeIn({ crossNamespace, namespaces }: ObjectKind, namespace: string): boolean {
  if (!crossNamespace) return false;
  return namespaces === undefined || namespaces === 'watched' || namespaces.includes(namespace);
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

/** The parts of a live Deployment that show its rollout. */
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

/** The parts of a live HorizontalPodAutoscaler that show whether it scales. */
export interface LiveHorizontalPodAutoscaler extends LiveObject {
  readonly status?: {
    readonly conditions?: readonly LiveCondition[];
  };
}

/** The parts of a live DaemonSet that show on how many nodes its pods run. */
export interface LiveDaemonSet extends LiveObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberReady?: number;
    readonly numberAvailable?: number;
  };
}

/** The parts of a live StatefulSet that show its rollout. */
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

/** The parts of a live Job that show its result. Its condition `Complete` or `Failed` is True when it has finished. */
export interface LiveJob extends LiveObject {
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** A live ControllerRevision: a snapshot of some state. */
export interface LiveControllerRevision extends LiveObject {
  readonly data: { readonly spec: unknown };
  readonly revision: number;
}

/** The parts of a live Service that show the addresses that others assigned. */
export interface LiveService extends LiveObject {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly nodePort?: number }[] };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[] };
  };
}

/** A live ConfigMap. */
export interface LiveConfigMap extends LiveObject {
  readonly data?: Readonly<Record<string, string>>;
  /** By key, in base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** A live Secret. */
export interface LiveSecret extends LiveObject {
  readonly type?: string;
  /** By key, in base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** How a container terminated. */
export interface LiveTermination {
  readonly exitCode: number;
  readonly reason?: string;
  readonly finishedAt?: string;
  /** The last log output, or the content of the termination message path. */
  readonly message?: string;
}

/** The state of a container of a live Pod. */
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
  /** The previous run of the container. */
  readonly lastState?: { readonly terminated?: LiveTermination };
}

/** The parts of a live Pod that show its node and its state. */
export interface LivePod extends LiveObject {
  readonly spec: {
    readonly nodeName?: string;
    /** While it has one, the scheduler leaves it alone. */
    readonly schedulingGates?: readonly { readonly name: string }[];
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly LiveCondition[];
    readonly containerStatuses?: readonly LiveContainer[];
  };
}

/** The parts of a live PersistentVolumeClaim that show its size. */
export interface LivePersistentVolumeClaim extends LiveObject {
  readonly spec?: {
    readonly storageClassName?: string;
    /** Its PersistentVolume, once it is bound. */
    readonly volumeName?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly conditions?: readonly LiveCondition[];
  };
}

/** The parts of a live PersistentVolume that show whose it is, and which nodes can mount it. */
export interface LivePersistentVolume extends LiveObject {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly nodeAffinity?: {
      readonly required?: {
        readonly nodeSelectorTerms?: readonly {
          readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
        }[];
      };
    };
  };
}

/** The parts of a live ResourceQuota that show what it leaves, and for which Pods. */
export interface LiveResourceQuota extends LiveObject {
  readonly spec?: {
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

/** The parts of a live Node that show whether it accepts pods. Its labels show its location. */
export interface LiveNode extends LiveObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly { readonly key: string }[] };
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
export const Service = namespaced<LiveService>()('', 'v1', 'Service', 'services');
export const ServiceAccount = namespaced()('', 'v1', 'ServiceAccount', 'serviceaccounts');
export const Pod = namespaced<LivePod>()('', 'v1', 'Pod', 'pods');
export const PersistentVolumeClaim = namespaced<LivePersistentVolumeClaim>()(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);
export const ResourceQuota = namespaced<LiveResourceQuota>()('', 'v1', 'ResourceQuota', 'resourcequotas');
export const PersistentVolume = clusterScoped<LivePersistentVolume>()(
  '',
  'v1',
  'PersistentVolume',
  'persistentvolumes',
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
export const HorizontalPodAutoscaler = namespaced<LiveHorizontalPodAutoscaler>()(
  'autoscaling',
  'v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);
export const PodDisruptionBudget = namespaced()('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets');
export const NetworkPolicy = namespaced()('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies');
export const EndpointSlice = namespaced()('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices');
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
