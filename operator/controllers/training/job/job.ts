import type { TrainingJobSpec } from '../../../../imports/index.js';
import type { CoordinatorAnswer } from '../ports/coordinator.js';
import type { MissingObject } from '../workers/missing-object.js';
import type { Worker } from '../workers/worker.js';
import type { Memory } from './memory.js';

/** What is observed and remembered of a TrainingJob itself. */
export interface ObservedJob {
  readonly namespace: string;
  readonly name: string;

  readonly spec: TrainingJobSpec;
  /** Of the content of the Pods. */
  readonly revision: string;
  readonly workers: readonly Worker[];
  readonly memory: Memory;
  /** Absent with `recovery: Restart`, and while it does not answer. */
  readonly report?: CoordinatorAnswer | undefined;
  /** Whether the status says that all ranks train. @default false */
  readonly wasTraining?: boolean | undefined;
  /** Absent if all are there. */
  readonly missingObject?: MissingObject | undefined;
  readonly now: number;
}

/** True if its processes keep their Pods when others fail. */
export function isInPlace({ spec }: Pick<ObservedJob, 'spec'>): boolean {
  return spec.recovery === 'InPlace';
}

/** The number of Pods, spares included. */
export function placesIn({ spec }: Pick<ObservedJob, 'spec'>): number {
  return spec.workers + spec.spares;
}

/** The Pods of the current content and of the current start of the job, which are not being deleted. */
export function currentIn({
  workers,
  memory,
  revision,
  ...job
}: Pick<ObservedJob, 'workers' | 'memory' | 'revision' | 'spec'>): readonly Worker[] {
  return workers.filter(
    (one) =>
      !one.isEnding &&
      one.revision === revision &&
      one.incarnation === memory.incarnation &&
      one.index < placesIn(job) &&
      !isCondemned(one, memory),
  );
}

/** True if a Pod of this place cannot start, because it needs an object that is not there. */
export function lacksObject(
  { index }: Pick<Worker, 'index'>,
  { missingObject }: Pick<ObservedJob, 'missingObject'>,
): boolean {
  return missingObject !== undefined && (index === 0 || !missingObject.isOfFirst);
}

/** True while the next restart waits after faults of the loss. */
export function isBackingOff({ memory, now }: Pick<ObservedJob, 'memory' | 'now'>): boolean {
  return memory.backoffUntil !== undefined && now < memory.backoffUntil;
}

/** True for a Pod whose fault was written down, so that it can be replaced without being forgotten. */
export function isCondemned({ uid }: Pick<Worker, 'uid'>, { faults }: Memory): boolean {
  return faults.some((fault) => fault.uid === uid && fault.grade === 'Pod');
}

/** True if the workers must write a checkpoint and go: the job is suspended, or its Pods have another content. */
export function isStopping({ spec, workers, revision }: Pick<ObservedJob, 'spec' | 'workers' | 'revision'>): boolean {
  return spec.suspend || workers.some((one) => !one.isEnding && one.revision !== revision);
}
