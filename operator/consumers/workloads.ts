import type { PolicyRule } from '../runtime/kubernetes/kinds.js';
import type { Port } from '../runtime/ports/external-port.js';
import type { ConsumerState } from './consumer-state.js';

/** The kinds of workloads, by the field that names one. */
export const workloadKinds = {
  deployment: 'Deployment',
  statefulSet: 'StatefulSet',
  daemonSet: 'DaemonSet',
} as const;

/** A workload that uses a Secret. */
export interface WorkloadRef {
  readonly kind: (typeof workloadKinds)[keyof typeof workloadKinds];
  readonly name: string;
  /** Whether it is rolled to get new content. The others get it on their own. */
  readonly restarts: boolean;
}

/** The workloads that must use the content of a Secret. */
export interface WorkloadsQuestion {
  readonly namespace: string;
  readonly workloads: readonly WorkloadRef[];
  /** The annotation of the Pod template that identifies the content. */
  readonly annotation: string;
  /** Its value for the present content. */
  readonly hash: string;
}

/** What was seen of the workloads. */
export interface WorkloadsAnswer {
  /** The hash of the question, which tells for which content the states hold. */
  readonly hash: string;
  /** In the order of the question. */
  readonly states: readonly WorkloadState[];
}

/** What was seen of one workload. */
export interface WorkloadState extends ConsumerState {
  readonly kind: WorkloadRef['kind'];
  readonly name: string;
  /** Undefined if it does not exist. */
  readonly uid?: string;
}

/** Rolls workloads, by an annotation of their Pod templates. */
export interface RolloutRequest {
  readonly namespace: string;
  readonly annotation: string;
  readonly hash: string;
  readonly workloads: readonly { readonly kind: WorkloadRef['kind']; readonly name: string; readonly uid: string }[];
}

const rbacRules: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['get', 'patch'] },
];

/**
 * Workloads that use Secrets. They are read when the content changes, and seldom at rest, so that no workload of the
 * cluster is watched. A request with the UID of an earlier workload has no effect on the one that replaced it.
 */
export const workloads: Port<WorkloadsQuestion, WorkloadsAnswer, RolloutRequest> = {
  name: 'reconstruct/workloads',
  formerName: 'workloads',
  rbacRules,
  visibleWithin: 0,
};

/** The consumers of a spec that are workloads. */
export interface StatedConsumer {
  readonly deployment?: string;
  readonly statefulSet?: string;
  readonly daemonSet?: string;
  readonly reload?: 'Restart' | 'Signal' | 'None';
}

/** The workloads among the consumers of a spec, in their order, each once. */
export function workloadsOf(consumers: readonly StatedConsumer[] = []): readonly WorkloadRef[] {
  const all = consumers.flatMap((consumer) =>
    (Object.keys(workloadKinds) as (keyof typeof workloadKinds)[]).flatMap((field) => {
      const name = consumer[field];
      const restarts = (consumer.reload ?? 'Restart') === 'Restart';
      return name === undefined ? [] : [{ kind: workloadKinds[field], name, restarts }];
    }),
  );
  return all.filter((one, at) => all.findIndex(({ kind, name }) => kind === one.kind && name === one.name) === at);
}
