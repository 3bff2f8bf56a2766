import { type WorkerTask, workerContainer } from '../../../src/index.js';
import { conditionOf, type LivePod } from '../../runtime/index.js';

/** The termination message of a worker, as `images/postgres/bin/reconstruct-worker` writes it. */
export interface WorkerResult {
  readonly label?: string;
  readonly instance?: string;
  readonly started?: string;
  readonly finished?: string;
  readonly start?: string;
  readonly stop?: string;
  readonly timeline?: number;
  readonly sizeBytes?: number;
  readonly storedBytes?: number;
  readonly firstRecoverable?: string;
  readonly good?: boolean;
  readonly message?: string;
  readonly expired?: boolean;
  readonly closed?: boolean;
  /** Reason why there is no result. */
  readonly problem?: string;
}

/** One run of a worker, as its Pod shows it. */
export interface WorkerRun {
  readonly task: WorkerTask;
  readonly attempt: number;
  /** Undefined while it runs. */
  readonly result: WorkerResult | undefined;
  /** Reason why the worker does not start, such as its image, a volume or scheduling. Undefined while it may still start. */
  readonly hindrance: string | undefined;
}

/** Suffix of the name of a worker Pod, for example `make-2`. */
export function workerSuffix(task: WorkerTask, attempt: number): string {
  return `${task}-${attempt}`;
}

/** The run of a worker in a Pod. Undefined if the Pod is not a worker. */
export function workerRunOf(pod: LivePod): WorkerRun | undefined {
  const [, task, attempt] = /-(make|verify|expire|close)-(\d+)(?:-x[0-9a-f]{12})?$/.exec(pod.metadata.name) ?? [];
  if (!task || !attempt) return undefined;
  return { task: task as WorkerTask, attempt: Number(attempt), result: resultOf(pod), hindrance: hindranceOf(pod) };
}

/** A Pod that failed without a terminated container, for example after an eviction, has no result and is retried. */
function resultOf({ status }: LivePod): WorkerResult | undefined {
  const ended = status?.containerStatuses?.find(({ name }) => name === workerContainer)?.state?.terminated;
  if (ended)
    return parsed(
      ended.message ?? '',
      `the worker exited with code ${ended.exitCode}${ended.reason ? ` (${ended.reason})` : ''}`,
    );
  if (status?.phase !== 'Failed') return undefined;
  return { problem: 'the Pod of the worker was removed before the worker finished' };
}

/** Treats any other text as the problem: Kubernetes reports the end of the log if the container wrote no message. */
function parsed(message: string, otherwise: string): WorkerResult {
  try {
    const said: unknown = JSON.parse(message);
    if (typeof said === 'object' && said !== null) return said;
  } catch {
    // The worker did not write this text: it exited before it could report a result.
  }
  return { problem: message.trim() === '' ? otherwise : message.trim() };
}

function hindranceOf(pod: LivePod): string | undefined {
  const waiting = pod.status?.containerStatuses?.find(({ name }) => name === workerContainer)?.state?.waiting;
  if (waiting?.reason && waiting.reason !== 'ContainerCreating' && waiting.reason !== 'PodInitializing') {
    return `${waiting.reason}: ${waiting.message ?? 'the container does not start'}`;
  }
  const {
    status,
    reason = 'Unschedulable',
    message = 'no node can run the Pod',
  } = conditionOf(pod, 'PodScheduled') ?? {};
  return status === 'False' ? `${reason}: ${message}` : undefined;
}
