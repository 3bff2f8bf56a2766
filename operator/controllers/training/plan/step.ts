import type { CoordinatorAct } from '../ports/coordinator.js';
import type { Worker } from '../workers/worker.js';

/** A Pod to render. */
export interface PodPlan extends Pick<Worker, 'index' | 'attempt'> {
  /** `keep` changes nothing, `create` makes a new Pod, and `open` removes the gate. */
  readonly act: 'keep' | 'create' | 'open';
  readonly isGated: boolean;
  /** Value of the label `topology.key` that the node of a Pod without a gate must have. Absent if it does not change. */
  readonly domain?: string | undefined;
  /** Machines that must not run a new Pod, or one whose gate opens. @default [] */
  readonly avoid?: readonly string[];
}

/** The Pods that a job has next. */
export interface PodStep {
  readonly pods: readonly PodPlan[];
  /** Why workers wait for room. */
  readonly queued?: string | undefined;
  /** Whether a ResourceQuota does not allow Pods that are missing. @default false */
  readonly isShort?: boolean | undefined;
  /** Whether jobs of a lower priority go on with fewer workers for this one. */
  readonly displaces?: boolean | undefined;
}

/** A step of the plan: the Pods that a job has next, or a change of its coordinator. */
export type Step = PodStep | CoordinatorAct;

/** Pods that do not change. */
export function kept(workers: readonly Worker[]): readonly PodPlan[] {
  return workers.map(({ index, attempt, isGated }) => ({ index, attempt, isGated, act: 'keep' }));
}
