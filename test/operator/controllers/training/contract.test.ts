import { describe, it } from 'vitest';
import { trainingJobSpec, withDefaults } from '../../../../crds/index.js';
import { trainingJob } from '../../../../operator/controllers/training/index.js';
import { draw } from '../../../../operator/passwords/draw.js';
import { type ContractCheck, controllerContract, fakeSource, simulation } from '../../../../operator/testing/index.js';
import { leastTraining } from '../../../crds/refused-training.js';
import { seeds } from '../../../simulation/seeds.js';
import { capacityModel, coordinatorModel } from './training-models.js';

const spec = (input: object) =>
  withDefaults(trainingJobSpec, {
    ...leastTraining,
    ...{ workers: 1, checkpoint: { size: '1Gi', deletionPolicy: 'Delete' } },
    ...input,
  } as never);
const of = (input: object) => ({
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob', metadata: { name: 'ranking', namespace: 'ml' } },
  spec: spec(input),
});
const drawn = fakeSource(draw, ({ keys, replaces }) =>
  Object.fromEntries(keys.map((key) => [key, `${key} of ${replaces}`])),
);
/** Without kubelets no process runs, so nothing is asked of the coordinator. */
const needsCalls = ({ name }: ContractCheck) => name.startsWith('sends no further call');

describe.each([
  ['in place', {}],
  ['with recovery Restart', { recovery: 'Restart' }],
])('the controller of TrainingJobs, %s', (recovery, input) => {
  const given = {
    ...{ resource: of(input), edited: spec({ ...input, workers: 2 }), answers: [drawn] },
    ports: [coordinatorModel(), capacityModel()],
    expired: {
      spec: spec({ ...input, ttlAfterFinished: '1h' }),
      status: { observedGeneration: 1, phase: 'Failed', completionTime: '2020-01-01T00:00:00Z' },
    },
  };
  for (const check of controllerContract(trainingJob, given)) if (!needsCalls(check)) it(check.name, check.holds);
  const histories = simulation(trainingJob, given, { from: seeds(7, 0), seeds: seeds(3, 5) });
  for (const { name, holds } of histories.slice(recovery === 'in place' ? 0 : 1)) it(name, holds, 120_000);
});
