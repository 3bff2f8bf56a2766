import type { TrainingJobSpec } from '../../../../imports/index.js';
import type { Port } from '../../../runtime/index.js';

/** Amounts by resource: cores, bytes, and numbers of devices and Pods. */
export type Amounts = Readonly<Record<string, number>>;

/** A node, and what its Pods leave. */
export interface NodeRoom {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Taints that keep Pods away. */
  readonly taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
  /** Without what has an amount that cannot be read. */
  readonly free: Amounts;
  /** What it has for Pods in all. @default - as much as is free */
  readonly allocatable?: Amounts | undefined;
  /** What Pods that are being deleted leave too. @default {} */
  readonly leaving?: Amounts | undefined;
}

/** The workers of a job, which start together. */
export interface Gang {
  readonly namespace: string;
  readonly job: string;
  /** Creation of the first of these Pods, in RFC 3339. */
  readonly queued: string;
}

/** What a Pod needs of a node. */
export interface PodNeeds {
  readonly requests: Amounts;
  readonly podTemplate?: Pick<NonNullable<TrainingJobSpec['podTemplate']>, 'nodeSelector' | 'tolerations' | 'affinity'>;
  /** Node label of which all nodes of the job must have one value. Absent if they may differ, or if it is chosen already. */
  readonly topologyKey?: string | undefined;
}

/** A job whose workers were released to the scheduler and do not all have a node yet. */
export interface OpeningGang extends Gang {
  /** Pods without a node. */
  readonly unplaced: number;
  readonly needs: PodNeeds;
}

/** A job all of whose workers exist and wait with gates. */
export interface QueuedGang extends Gang {
  /** Of its Pods, by their PriorityClass. */
  readonly priority: number;
  /** Spares included. */
  readonly workers: number;
  readonly needs: PodNeeds;
}

/** A job that has more workers than its `minWorkers`. */
export interface GivingGang extends Gang {
  readonly priority: number;
  /** What nodes get back if it goes on with `minWorkers`. */
  readonly gives: readonly { readonly node: string; readonly requests: Amounts }[];
}

/** Jobs are ordered by the time at which their first Pod was created, then by namespace and name. */
export function gangOrder({ queued, namespace, job }: Gang): string {
  return `${queued} ${namespace}/${job}`;
}

/** The room in the cluster. */
export interface CapacityAnswer {
  /** Nodes that are ready and not cordoned, by name. */
  readonly nodes: readonly NodeRoom[];
  /** Ordered by `queued`, namespace and name. */
  readonly opening: readonly OpeningGang[];
  /** Ordered as `opening`. @default [] */
  readonly queued?: readonly QueuedGang[] | undefined;
  /** Ordered as `opening`. @default [] */
  readonly giving?: readonly GivingGang[] | undefined;
}

/** Reads the nodes, the requests of all Pods and the TrainingJobs, while a job waits for room or could give some. */
export const capacity: Port<Record<string, never>, CapacityAnswer> = {
  name: 'reconstruct/training-capacity',
  rbacRules: [
    { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] },
    { apiGroups: ['reconstruct.dev'], resources: ['trainingjobs'], verbs: ['list'] },
  ],
};
