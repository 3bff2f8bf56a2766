import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of a broker of a KafkaCluster, unless its spec states others. */
export const defaultKafkaBrokerResources = {
  requests: { cpu: '250m', memory: '1Gi' },
  limits: { cpu: '2', memory: '2Gi' },
} as const satisfies DefaultResources;

/** Requests and limits of a controller of a KafkaCluster, unless its spec states others. */
export const defaultKafkaControllerResources = {
  requests: { cpu: '100m', memory: '512Mi' },
  limits: { cpu: '1', memory: '768Mi' },
} as const satisfies DefaultResources;

/** Requests and limits of a Job before or after the restart of a broker, unless its spec states others. */
export const defaultKafkaHookResources = {
  requests: { cpu: '10m', memory: '64Mi' },
  limits: { cpu: '1', memory: '512Mi' },
} as const satisfies DefaultResources;
