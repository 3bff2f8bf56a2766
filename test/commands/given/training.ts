import { trainingJobSpec, withDefaults } from '../../../crds/index.js';
import type { TrainingJobStatus } from '../../../imports/index.js';
import { conditions as ofTraining } from '../../../operator/controllers/training/conditions.js';
import { TrainingSharedObjects, TrainingWorkerPod } from '../../../src/index.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const trainingStatus: TrainingJobStatus = {
  ...{ observedGeneration, phase: 'Running', step: 840, rendezvous: 1, ready: '1/1' },
  ranks: [{ pod: 'digits-0-0', uid: 'given', index: 0, node: 'node-1', state: 'training', step: 840 }],
  faults: [
    { id: 'given', time: now, kind: 'PodLost', grade: 'Pod', pod: 'digits-0-0', node: 'node-1', rank: 0, step: 7 },
  ],
  goodput: {
    ...{ ratio: 0.9, startTime: now, updateTime: now, activity: 'Training', step: 840, maxStep: 840 },
    seconds: { kept: 90, repeated: 1, stalled: 2, recovering: 3, starting: 4, suspended: 0 },
  },
  conditions: allTrue(ofTraining),
};

const training = { image: 'training:1.0.0', command: ['python3', '/app/train.py'] };

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'TrainingJob', metadata: { name: 'digits' } },
      ...{ spec: training, status: trainingStatus },
    },
  ],
  pods: ['reconstruct.dev/training-role=coordinator'],
  objects: (chart, namespace) => {
    const job = { name: 'digits', namespace };
    new TrainingSharedObjects(chart, 'training', { ...training, ...job });
    new TrainingWorkerPod(chart, 'worker', {
      ...{ ...job, uid: 'given', spec: withDefaults(trainingJobSpec, training), worker: { index: 0, attempt: 0 } },
    });
  },
} satisfies GivenSystem;
