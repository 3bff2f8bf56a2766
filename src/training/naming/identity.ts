import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Identity } from '../../workload/identity.js';

/** A reference to a TrainingJob. */
export interface TrainingJobRef {
  /** The name of the TrainingJob. */
  readonly name: string;
  /** The namespace of the TrainingJob. @default - the namespace of the chart */
  readonly namespace?: string | undefined;
}

/** The name and namespace of a TrainingJob, and the labels of all of its objects. */
export interface TrainingIdentity extends Identity {
  readonly namespace: string;
}

const jobLabel = 'reconstruct.dev/training-job';
/** The label with the role of a Pod: `worker` or `coordinator`. */
export const trainingRoleLabel = 'reconstruct.dev/training-role';

/** The part that a Pod has in a job. */
export type TrainingRole = 'worker' | 'coordinator';

/**
 * The identity of a TrainingJob.
 * @throws {Error} if neither the TrainingJob nor its chart has a namespace, which addresses contain
 */
export function trainingIdentity(scope: IConstruct, { name, namespace }: TrainingJobRef): TrainingIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error(
      'namespace must be set, because the addresses of a TrainingJob contain it; set namespace, or the namespace of the chart',
    );
  }
  return { name, namespace: stated, labels: trainingLabels(name) };
}

/** The labels of all objects of a TrainingJob. */
export function trainingLabels(job: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'training',
    'app.kubernetes.io/instance': job,
    'app.kubernetes.io/managed-by': 'reconstruct',
    [jobLabel]: job,
  };
}

/** The selector of the Pods of a TrainingJob, of a role if one is given. */
export function trainingSelector(job: string, role?: TrainingRole): Readonly<Record<string, string>> {
  return { [jobLabel]: job, ...(role && { [trainingRoleLabel]: role }) };
}

/** The name of the container of a worker. */
export const trainingContainer = 'trainer';

/** The ports of the coordinator, and that of rank 0 with `recovery: Restart`. */
export const trainingPorts = { coordinator: 29400, store: 29401, master: 29500 } as const;

/** The names of the objects that exist once for each TrainingJob. */
export function trainingObjectNames(job: string) {
  return {
    /** ServiceAccount and NetworkPolicy. */
    own: job,
    /** The Service of the workers by host name, and their PodDisruptionBudget. */
    workers: `${job}-workers`,
    /** The Deployment of the coordinator, and its Service. */
    coordinator: `${job}-coordinator`,
    /** The Secret with the token of the coordinator. */
    token: `${job}-token`,
    /** The PersistentVolumeClaim of the checkpoints. */
    checkpoints: `${job}-checkpoints`,
  } as const;
}

/** The key of the token in its Secret. */
export const trainingTokenKey = 'token';

/** A Pod of a worker. */
export interface TrainingWorkerRef {
  /** From 0. With `recovery: Restart`, it is also the place of the worker among the ranks. */
  readonly index: number;
  /** Distinguishes the Pod from an earlier one of the index that still terminates. */
  readonly attempt: number;
}

/** The name of the Pod of a worker. */
export function trainingPodName(job: string, { index, attempt }: TrainingWorkerRef): string {
  return `${job}-${index}-${attempt}`;
}

/** The worker with a Pod name. Undefined for other names. */
export function trainingWorkerNamed(job: string, pod: string): TrainingWorkerRef | undefined {
  const [, index, attempt] =
    (pod.startsWith(`${job}-`) && /^(\d{1,4})-(\d{1,2})$/.exec(pod.slice(job.length + 1))) || [];
  return index === undefined ? undefined : { index: Number(index), attempt: Number(attempt) };
}

/** The host name of the coordinator. It omits the domain of the cluster, which is unknown. */
export function trainingCoordinatorHost({ name, namespace }: { readonly name: string; readonly namespace: string }) {
  return `${trainingObjectNames(name).coordinator}.${namespace}.svc`;
}
