import type { LiveDaemonSet, LiveDeployment, LiveStatefulSet } from '../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../runtime/kubernetes/object.js';

/**
 * How far a consumer got:
 * - `Current`: each of its Pods uses the present content.
 * - `Outdated`: it was not rolled since the content changed.
 * - `RollingOut`: some of its Pods use earlier content.
 * - `Failed`: its rollout does not end without a change of the workload.
 * - `Missing`: no such object exists.
 */
export type ConsumerPhase = 'Current' | 'Outdated' | 'RollingOut' | 'Failed' | 'Missing';

/** The state of one consumer. */
export interface ConsumerState {
  readonly phase: ConsumerPhase;
  /** What is wrong and what to do, for people. Only of `Failed`, and of a rollout that waits for a person. */
  readonly why?: string;
}

/** The parts of a live workload that tell what its Pods run. */
export type LiveWorkload = LiveObject & {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly template: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
  readonly status?: LiveDeployment['status'] & LiveStatefulSet['status'] & LiveDaemonSet['status'];
};

/** What identifies the present content of a Secret on a Pod template. */
export interface ContentMark {
  readonly annotation: string;
  readonly hash: string;
}

/**
 * The state of a workload.
 * @param live undefined if it does not exist
 * @param restarts false for one that gets new content without a rollout. It is current as long as it exists
 */
export function workloadState(
  live: LiveWorkload | undefined,
  { annotation, hash, restarts }: ContentMark & { readonly restarts: boolean },
): ConsumerState {
  if (!live || live.metadata.deletionTimestamp !== undefined) return { phase: 'Missing' };
  if (!restarts) return { phase: 'Current' };
  if (live.spec.template.metadata?.annotations?.[annotation] !== hash) return { phase: 'Outdated' };
  const isObserved = (live.status?.observedGeneration ?? 0) >= (live.metadata.generation ?? 0);
  if (isObserved && isRolledOut(live)) return { phase: 'Current' };
  const obstacle = obstacleOf(live);
  if (obstacle !== undefined) return { phase: 'Failed', why: obstacle };
  return { phase: 'RollingOut' };
}

/**
 * No Pod of an earlier template is left, and all of the new one are available. The revisions of a StatefulSet tell nothing:
 * its controller moves `currentRevision` for the strategy RollingUpdate alone.
 */
function isRolledOut({ kind, spec, status = {} }: LiveWorkload): boolean {
  if (kind === 'DaemonSet') {
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
    return updatedNumberScheduled >= desiredNumberScheduled && numberAvailable >= desiredNumberScheduled;
  }
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const wanted = spec.replicas ?? 1;
  return updatedReplicas >= wanted && replicas <= updatedReplicas && availableReplicas >= wanted;
}

/** Why a rollout does not end without a person. */
function obstacleOf({ kind, metadata: { name }, spec, status }: LiveWorkload): string | undefined {
  if (spec.paused) return `${kind} ${name} is paused; resume its rollout`;
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type === 'OnDelete') return `${kind} ${name} has the update strategy OnDelete; delete its Pods one by one`;
  if (kind === 'StatefulSet' && (rollingUpdate?.partition ?? 0) > 0)
    return `${kind} ${name} keeps Pods below partition ${rollingUpdate?.partition}; set the partition to 0`;
  const stopped = status?.conditions?.find(({ type: of, status: is }) => of === 'Progressing' && is === 'False');
  return stopped && `${kind} ${name} does not become available: ${stopped.message ?? stopped.reason ?? 'no reason'}`;
}

/** The number of consumers that use the present content, out of all, such as `3/3`. */
export function currentOutOf(states: readonly ConsumerState[]): string {
  return `${states.filter(({ phase }) => phase === 'Current').length}/${states.length}`;
}
