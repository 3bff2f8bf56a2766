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
}

/** A job whose workers were released to the scheduler and do not all have a node yet. */
export interface OpeningGang {
  readonly namespace: string;
  readonly job: string;
  /** Creation of the first of these Pods, in RFC 3339. */
  readonly queued: string;
}

/** Jobs are ordered by the time at which their first Pod was created, then by namespace and name. */
export function gangOrder({ queued, namespace, job }: OpeningGang): string {
  return `${queued} ${namespace}/${job}`;
}

/** The room in the cluster. */
export interface CapacityAnswer {
  /** Nodes that are ready and not cordoned, by name. */
  readonly nodes: readonly NodeRoom[];
  /** Ordered by `queued`, namespace and name. */
  readonly opening: readonly OpeningGang[];
}

/** Reads the nodes and the requests of all Pods, only while a job waits for room. */
export const capacity: Port<Record<string, never>, CapacityAnswer> = {
  name: 'training-capacity',
  rbacRules: [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] }],
};
