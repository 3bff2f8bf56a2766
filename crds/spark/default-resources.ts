import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of the driver of a SparkJob, unless its spec states others. */
export const defaultSparkDriverResources = {
  requests: { cpu: '1', memory: '2Gi' },
  limits: { cpu: '2', memory: '2Gi' },
} as const satisfies DefaultResources;

/** Requests and limits of an executor of a SparkJob, unless its spec states others. */
export const defaultSparkExecutorResources = {
  requests: { cpu: '1', memory: '2Gi' },
  limits: { cpu: '2', memory: '2Gi' },
} as const satisfies DefaultResources;
