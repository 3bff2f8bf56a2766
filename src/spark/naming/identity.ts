import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Identity } from '../../workload/identity.js';

/** A reference to a SparkJob. */
export interface SparkJobRef {
  /** The name of the SparkJob. */
  readonly name: string;
  /** The namespace of the SparkJob. @default - the namespace of the chart */
  readonly namespace?: string | undefined;
}

/** The name and namespace of a SparkJob, and the labels of all of its objects. */
export interface SparkIdentity extends Identity {
  readonly namespace: string;
}

const jobLabel = 'reconstruct.dev/spark-job';
/** The label with the role of a Pod: `driver` or `executor`. */
export const sparkRoleLabel = 'reconstruct.dev/spark-role';
/** The label of Spark on executors and their ConfigMap, with the identifier of the application. */
export const sparkAppLabel = 'spark-app-selector';
/** The label of Spark on executors, with the release of Spark that runs. */
export const sparkVersionLabel = 'spark-version';

/** The part that a Pod has in a job. */
export type SparkRole = 'driver' | 'executor';

/**
 * The identity of a SparkJob.
 * @throws {Error} if neither the SparkJob nor its chart has a namespace, which the properties contain
 */
export function sparkIdentity(scope: IConstruct, { name, namespace }: SparkJobRef): SparkIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error(
      'namespace must be set, because the properties of Spark contain it; set namespace, or the namespace of the chart',
    );
  }
  return { name, namespace: stated, labels: sparkLabels(name) };
}

/** The labels of all objects of a SparkJob. */
export function sparkLabels(job: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'spark',
    'app.kubernetes.io/instance': job,
    'app.kubernetes.io/managed-by': 'reconstruct',
    [jobLabel]: job,
  };
}

/** The selector of the Pods of a SparkJob, of a role if one is given. */
export function sparkSelector(job: string, role?: SparkRole): Readonly<Record<string, string>> {
  return { [jobLabel]: job, ...(role && { [sparkRoleLabel]: role }) };
}

/** The names of the main containers. */
export const sparkContainers = { driver: 'driver', executor: 'executor' } as const;

/** The ports of the driver and the executors. */
export const sparkPorts = { driver: 7078, blockManager: 7079, ui: 4040 } as const;

/** The names of the objects that exist once for each SparkJob. */
export function sparkObjectNames(job: string) {
  return {
    /** ServiceAccount, Role, RoleBinding and NetworkPolicy. */
    own: `${job}-spark`,
    /** The Secret with which the driver and its executors authenticate each other. */
    auth: `${job}-spark-auth`,
  } as const;
}

/** The keys of the Secret: the text, which the driver reads from a file, and its Base64 form, which executors expect. */
export const sparkAuthKeys = { driver: 'secret', executor: 'encoded' } as const;

/** An attempt of a job. Both numbers are 1 or more. */
export interface SparkAttemptRef {
  /** An edit of the job begins another run. */
  readonly run: number;
  /** The number of the attempt in its run. */
  readonly attempt: number;
}

/** The name of the ConfigMap of an attempt, and the start of the names of its Pods. */
export function sparkAttemptName(job: string, { run, attempt }: SparkAttemptRef): string {
  return `${job}-${run}-${attempt}`;
}

/** The name of the Pod with the driver of an attempt. */
export function sparkDriverName(job: string, ref: SparkAttemptRef): string {
  return `${sparkAttemptName(job, ref)}-driver`;
}

/** The attempt whose driver has a Pod name. Undefined for other names. */
export function sparkDriverNamed(job: string, pod: string): SparkAttemptRef | undefined {
  const [, run, attempt] =
    (pod.startsWith(`${job}-`) && /^([1-9]\d{0,8})-([1-9]\d{0,8})-driver$/.exec(pod.slice(job.length + 1))) || [];
  return run === undefined ? undefined : { run: Number(run), attempt: Number(attempt) };
}

/**
 * The identifier of an attempt in Spark, which is a label of its executors.
 * @param uid of the SparkJob, so that one of the same name that is deleted has other identifiers
 */
export function sparkAppId(uid: string, { run, attempt }: SparkAttemptRef): string {
  return `spark-${sparkJobKey(uid)}-${run}-${attempt}`;
}

/** The UID of a SparkJob as the identifiers of its applications have it. */
export function sparkJobKey(uid: string): string {
  return uid.replaceAll('-', '');
}

/** The attempt with an identifier, and the UID of its SparkJob without dashes. Undefined for applications of others. */
export function sparkAppOf(id: string): (SparkAttemptRef & { readonly job: string }) | undefined {
  const [, job, run, attempt] = /^spark-([0-9a-z]+)-([1-9]\d*)-([1-9]\d*)$/.exec(id) ?? [];
  return job === undefined ? undefined : { job, run: Number(run), attempt: Number(attempt) };
}
