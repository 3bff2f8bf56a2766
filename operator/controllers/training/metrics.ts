import type { TrainingJobResource, TrainingJobStatusFaults } from '../../../imports/index.js';

/** A number of the newest fault that has it. */
function newestIn(
  faults: readonly TrainingJobStatusFaults[] = [],
  name: 'detectionSeconds' | 'recoverySeconds',
): number | undefined {
  return faults.find((fault) => fault[name] !== undefined)?.[name];
}

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
  reconstruct_training_faults_by_kind: {
    help: 'Number of faults since the job was created, by kind.',
    label: 'kind',
    valueFrom: ({ status }: TrainingJobResource) =>
      Object.fromEntries((status?.faultCounts ?? []).map(({ kind, count }) => [kind, count])),
  },
  reconstruct_training_detection_seconds: {
    help: 'Seconds from a fault until the operator saw it, of the newest fault with a known time.',
    valueFrom: ({ status }: TrainingJobResource) => newestIn(status?.faults, 'detectionSeconds'),
  },
  reconstruct_training_recovery_seconds: {
    help: 'Seconds from when the operator saw the newest repaired fault until all ranks trained again.',
    valueFrom: ({ status }: TrainingJobResource) => newestIn(status?.faults, 'recoverySeconds'),
  },
  reconstruct_training_goodput_ratio: {
    help: 'Share of the time since the first step that went into steps that were kept, from 0 to 1.',
    valueFrom: ({ status }: TrainingJobResource) => status?.goodput?.ratio,
  },
  reconstruct_training_lost_seconds: {
    help: 'Seconds since the first step that did not go into steps that were kept, by cause.',
    label: 'cause',
    valueFrom: ({ status }: TrainingJobResource) => {
      const { kept: _, ...lost } = status?.goodput?.seconds ?? { kept: 0 };
      return lost;
    },
  },
  reconstruct_training_stragglers: {
    help: 'Number of workers that compute longer than the others for as many steps as the spec allows.',
    valueFrom: ({ spec, status }: TrainingJobResource) =>
      status?.ranks?.filter(
        ({ step = 0, slowSince }) => slowSince !== undefined && step - slowSince >= spec.health.straggler.steps,
      ).length,
  },
};
