import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of a member of an EtcdCluster, unless its spec states others. */
export const defaultEtcdResources = {
  requests: { cpu: '100m', memory: '128Mi' },
  limits: { cpu: '2', memory: '1Gi' },
} as const satisfies DefaultResources;
