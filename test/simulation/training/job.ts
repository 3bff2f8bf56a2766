import type { TrainingJobSpec } from '../../../imports/index.js';
import type { Memory } from '../../../operator/controllers/training/job/memory.js';
import { specOf } from '../../src/training/given-job.js';
import type { TrainingModel } from './training-model.js';

/** What a user wants of a job. */
export interface Wish {
  readonly workers: number;
  /** At most `workers`. */
  readonly minWorkers: number;
  /** Of its Pods. */
  readonly priority: number;
  readonly spares: number;
  readonly perWindow: number;
  readonly suspend: boolean;
  /** @default InPlace */
  readonly recovery?: 'Restart';
  /** Of the content of the Pods. */
  readonly revision: string;
  /** All of its workers must be in one rack. @default false */
  readonly isNear?: boolean;
}

/** A TrainingJob: its spec, its status and what is outside the API server. */
export interface Job {
  readonly name: string;
  readonly model: TrainingModel;
  wish: Wish;
  /** What the status keeps. */
  memory: Memory;
}

/** The memory of a new job. */
export const newMemory: Memory = {
  ...{ generation: 0, members: [], slowSince: {}, incarnation: 0, partial: 0, full: 0, total: 0, faults: [] },
};

/** Seconds of `replaceWithin`. */
export const replaceWithin = 10;

const specs = new WeakMap<Wish, TrainingJobSpec>();

/** The spec with its defaults, and with limits that suit a short history. */
export function specOfWish(wish: Wish): TrainingJobSpec {
  const { workers, minWorkers, spares, perWindow, suspend, recovery = 'InPlace' } = wish;
  const spec =
    specs.get(wish) ??
    specOf({
      ...{
        recovery,
        workers,
        minWorkers,
        replaceWithin: `${replaceWithin}s`,
        spares,
        suspend,
        restarts: { perWindow, spike: { backoff: '3s', max: '12s' } },
      },
      ...{ gang: { timeout: '60s' }, checkpoint: { size: '1Gi' } },
      health: { stalledAfter: '10s', startWithin: '60s' },
    });
  specs.set(wish, spec);
  return spec;
}
