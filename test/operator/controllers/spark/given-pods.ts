import type { LivePod } from '../../../../operator/runtime/index.js';

export const now = Date.parse('2026-11-30T12:00:00Z');
/** The UID of the SparkJob, and its form in the identifiers of Spark. */
export const uid = '6f1c-job';
const key = '6f1cjob';

const second = 1_000;
/** A time in seconds before or after `now`. */
export const at = (seconds: number) => new Date(now + seconds * second).toISOString().replace('.000Z', 'Z');

type State = Readonly<Record<string, unknown>>;

/** A Pod with a driver. */
export interface GivenDriver {
  /** Such as `1-2`: the second attempt of the first run. @default '1-1' */
  readonly attempt?: string;
  /** The UID of the SparkJob that owns it. @default - this one */
  readonly owner?: string;
  readonly isEnding?: boolean;
  /** Whether nothing but a finalizer keeps it. @default false */
  readonly isForced?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  /** Seconds after `now`. @default -60 */
  readonly created?: number;
  /** Of the Pod. @default 'Running' */
  readonly phase?: string;
  /** Of the container. @default - it runs since 50 seconds. Null for a Pod without statuses of containers */
  readonly state?: State | null;
  /** Whether its SparkContext is there. @default true */
  readonly isListening?: boolean;
  /** Statuses of injected containers. */
  readonly others?: readonly object[];
  readonly conditions?: readonly object[];
  /** Of the Pod. */
  readonly reason?: string;
  readonly message?: string;
  readonly node?: string | null;
}

/** A Pod with a driver, which runs on `node-1` unless the changes say otherwise. */
export function driver(given: GivenDriver = {}): LivePod {
  const { attempt = '1-1', owner = uid, isEnding = false, created = -60, phase = 'Running', others = [] } = given;
  const { state = { running: { startedAt: at(-50) } }, isListening = true, conditions = [], node = 'node-1' } = given;
  const name = `clean-${attempt}-driver`;
  const main = {
    name: 'driver',
    image: 'spark:4.3.0',
    ready: isListening && state !== null && 'running' in state,
    state,
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name, namespace: 'data', uid: `uid of ${name} of ${owner}`, creationTimestamp: at(created) },
      labels: given.labels ?? { 'reconstruct.dev/spark-job': 'clean', 'reconstruct.dev/spark-role': 'driver' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'SparkJob', name: 'clean', uid: owner, controller: true }],
      // It was deleted 20 seconds ago.
      ...(isEnding && { deletionTimestamp: at(10), deletionGracePeriodSeconds: given.isForced ? 0 : 30 }),
    },
    spec: { containers: [], ...(node !== null && { nodeName: node }) },
    status: {
      ...{ phase, conditions },
      ...(given.reason !== undefined && { reason: given.reason }),
      ...(given.message !== undefined && { message: given.message }),
      ...(state !== null && { containerStatuses: [main, ...others] }),
    },
  } as unknown as LivePod;
}

/** The state of a container that has ended 10 seconds ago, after it had run for 40. */
export const ended = (exitCode: number, more: object = {}) => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: at(-50),
    finishedAt: at(-10),
    ...more,
  },
});

/** A driver that has failed. */
export const failed = (exitCode: number, more: object = {}, given: GivenDriver = {}) =>
  driver({ phase: 'Failed', state: ended(exitCode, more), ...given });

/** A driver that has succeeded. */
export const succeeded = (given: GivenDriver = {}) => driver({ phase: 'Succeeded', state: ended(0), ...given });

/** A driver whose container does not start. */
export const waiting = (reason: string, message: string, given: GivenDriver = {}) =>
  driver({ phase: 'Pending', state: { waiting: { reason, message } }, ...given });

/** A Pod with an executor. */
export interface GivenExecutor {
  /** @default '1-1' */
  readonly attempt?: string;
  readonly phase?: string;
  readonly isEnding?: boolean;
  readonly isOutOfMemory?: boolean;
  readonly isInactive?: boolean;
  /** What it wrote last, if it has failed with the exit code 1. */
  readonly failure?: string;
  readonly version?: string;
  /** The UID of the SparkJob without dashes. @default - this one */
  readonly job?: string;
}

/** A Pod with an executor, which runs unless the changes say otherwise. */
export function executor(number: number, given: GivenExecutor = {}): LivePod {
  const { attempt = '1-1', isEnding = false, job = key, failure: message, isOutOfMemory = false } = given;
  const terminated =
    (isOutOfMemory && { exitCode: 137, reason: 'OOMKilled' }) ||
    (message !== undefined && { exitCode: 1, reason: 'Error', message });
  const { phase = terminated ? 'Failed' : 'Running' } = given;
  const name = `clean-${attempt}-exec-${number}`;
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name, namespace: 'data', uid: `uid of ${name}`, creationTimestamp: at(-40) },
      labels: {
        ...{ 'reconstruct.dev/spark-job': 'clean', 'reconstruct.dev/spark-role': 'executor' },
        ...{ 'spark-app-selector': `spark-${job}-${attempt}`, 'spark-version': given.version ?? '4.3.0' },
        ...(given.isInactive && { 'spark-exec-inactive': 'true' }),
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: `clean-${attempt}-driver`, uid: 'd', controller: true }],
      // It was deleted 20 seconds ago.
      ...(isEnding && { deletionTimestamp: at(10), deletionGracePeriodSeconds: 30 }),
    },
    spec: { containers: [], nodeName: 'node-2' },
    status: { phase, containerStatuses: [{ name: 'executor', image: '', state: terminated ? { terminated } : {} }] },
  } as unknown as LivePod;
}
