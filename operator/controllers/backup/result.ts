import { type WorkerTask, workerContainer } from '../../../src/index.js';
import type { LivePod } from '../../runtime/index.js';

/** What a worker said when it ended, as `images/postgres/bin/reconstruct-worker` writes it. */
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
  /** Why it did not come to a result. */
  readonly problem?: string;
}

/** A worker's Pod, and how far it got. */
export interface Work {
  readonly task: WorkerTask;
  readonly attempt: number;
  readonly pod: LivePod;
  /** Undefined while it runs. */
  readonly result: WorkerResult | undefined;
}

/** The name of a worker's Pod, without its backup's: `make-2`. */
export function workerSuffix(task: WorkerTask, attempt: number): string {
  return `${task}-${attempt}`;
}

/** What a Pod is at; undefined of one that is no worker's. */
export function workOf(pod: LivePod): Work | undefined {
  const [, task, attempt] = /-(make|verify|expire|close)-(\d+)(?:-x[0-9a-f]{12})?$/.exec(pod.metadata.name) ?? [];
  if (!task || !attempt) return undefined;
  return { task: task as WorkerTask, attempt: Number(attempt), pod, result: resultOf(pod) };
}

/** A Pod that was deleted, or whose node is gone, has no result either: it is made again. */
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

/** What is no result is told as the problem: the end of the log, where the container wrote none. */
function parsed(message: string, otherwise: string): WorkerResult {
  try {
    const said: unknown = JSON.parse(message);
    if (typeof said === 'object' && said !== null) return said;
  } catch {
    // Not ours: it died before it could say anything.
  }
  return { problem: message.trim() === '' ? otherwise : message.trim() };
}

/** Why a worker does not even begin: its image, a volume, a place. Undefined while that may still come. */
export function hindranceOf({ status }: LivePod): string | undefined {
  const waiting = status?.containerStatuses?.find(({ name }) => name === workerContainer)?.state?.waiting;
  if (waiting?.reason && waiting.reason !== 'ContainerCreating' && waiting.reason !== 'PodInitializing') {
    return `${waiting.reason}: ${waiting.message ?? 'the container does not start'}`;
  }
  const unplaced = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  return unplaced && `${unplaced.reason ?? 'Unschedulable'}: ${unplaced.message ?? 'no node can run the Pod'}`;
}
