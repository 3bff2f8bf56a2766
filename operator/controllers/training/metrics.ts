import type { TrainingJobResource } from '../../../imports/index.js';

/** The metrics of a TrainingJob. */
export const metrics = {
  reconstruct_training_step: {
    help: 'Number of steps that all ranks have done.',
    valueFrom: ({ status }: TrainingJobResource) => status?.step,
  },
  reconstruct_training_loss: {
    help: 'Loss of the last step of the first rank.',
    valueFrom: ({ status }: TrainingJobResource) => status?.loss,
  },
  reconstruct_training_faults: {
    help: 'Number of faults since the job was created.',
    valueFrom: ({ status }: TrainingJobResource) => status?.restarts?.total,
  },
  reconstruct_training_stragglers: {
    help: 'Number of workers that compute longer than the others for as many steps as the spec allows.',
    valueFrom: ({ spec, status }: TrainingJobResource) =>
      status?.ranks?.filter(
        ({ step = 0, slowSince }) => slowSince !== undefined && step - slowSince >= spec.health.straggler.steps,
      ).length,
  },
};
