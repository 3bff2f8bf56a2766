import type { TrainingJobResource } from '../../../imports/index.js';
import { specOf } from '../../src/training/given-job.js';
import { condition, good } from '../status/given-conditions.js';

const ranks = [0, 1, 2].map((index) => ({
  ...{ pod: `digits-${index}-0`, uid: `uid-${index}`, index, node: `node-${index}`, state: 'training', step: 840 },
}));

export const restarted = {
  ...{ id: 'exit-1', time: '2029-12-31T23:58:00Z', kind: 'ProcessFailed', grade: 'Process', pod: 'digits-2-0' },
  ...{ node: 'node-2', rank: 2, step: 700, message: 'signal SIGKILL', recoverySeconds: 3 },
} as const;

/** What the 19 minutes until a minute ago went into. */
export const goodput = {
  ...{ ratio: 0.8947, startTime: '2029-12-31T23:40:00Z', updateTime: '2029-12-31T23:59:00Z', activity: 'Training' },
  ...{ step: 840, maxStep: 840 },
  seconds: { kept: 1020, repeated: 90, stalled: 0, recovering: 30, suspended: 0, starting: 0 },
} as const;

/** A TrainingJob with three workers that train. */
export function trainingJob(status: object = {}, spec: object = {}): TrainingJobResource {
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob' },
    metadata: { name: 'digits', namespace: 'ml', uid: 'uid', generation: 3 },
    spec: specOf({ workers: 3, ...spec }),
    status: {
      ...{ observedGeneration: 3, phase: 'Running', step: 840, steps: 2000, loss: 0.123456, ready: '3/3' },
      ...{ rendezvous: 4, ranks, restarts: { partial: 1, full: 0, total: 1 }, faults: [restarted] },
      goodput,
      ...{ checkpoint: { step: 800, healthy: true }, conditions: [...good, condition('Training', 'True', 'Training')] },
      ...status,
    },
  } as unknown as TrainingJobResource;
}
