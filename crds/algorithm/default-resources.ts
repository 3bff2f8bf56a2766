import type { DefaultResources } from '../fields/resources.js';

/** Requests and limits of the server of an Algorithm, unless its spec states others. */
export const defaultServerResources = {
  requests: { cpu: '100m', memory: '256Mi' },
  limits: { cpu: '2', memory: '256Mi' },
} as const satisfies DefaultResources;

/** Requests and limits of the proxies of a Gateway, unless its spec states others. */
export const defaultProxyResources = {
  requests: { cpu: '100m', memory: '128Mi' },
  limits: { cpu: '2', memory: '512Mi' },
} as const satisfies DefaultResources;
