import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of PostgreSQL in an instance of a Database, unless its spec states others. */
export const defaultPostgresResources = {
  requests: { cpu: '100m', memory: '256Mi' },
  limits: { cpu: '2', memory: '1Gi' },
} as const satisfies DefaultResources;

/** Requests and limits of pods that create, verify or remove a backup, unless its spec states others. */
export const defaultBackupResources = {
  requests: { cpu: '100m', memory: '128Mi' },
  limits: { cpu: '2', memory: '1Gi' },
} as const satisfies DefaultResources;

/** Requests and limits of pgBackRest as a server, unless its spec states others. */
export const defaultBackupServerResources = {
  requests: { cpu: '10m', memory: '32Mi' },
  limits: { cpu: '1', memory: '512Mi' },
} as const satisfies DefaultResources;
