import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of a worker of a TrainingJob, unless its spec states others. */
export const defaultTrainingWorkerResources = {
  requests: { cpu: '1', memory: '2Gi' },
  limits: { cpu: '4', memory: '4Gi' },
} as const satisfies DefaultResources;

/** Requests and limits of the coordinator of a TrainingJob, which imports PyTorch, unless its spec states others. */
export const defaultTrainingCoordinatorResources = {
  requests: { cpu: '100m', memory: '256Mi' },
  limits: { cpu: '1', memory: '1Gi' },
} as const satisfies DefaultResources;
