import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';

/** Where the proxies find what cannot be said by arguments. */
export const configFile = { folder: '/etc/reconstruct', name: 'http.yaml' } as const;

/** The middleware through which every request goes, as arguments refer to it. */
export const againMiddleware = 'again@file';

/** Milliseconds in which a pod must take a connection. Its kernel does so, however busy its server is. */
export const dialTimeout = 300;

/**
 * How often a request is sent to a pod before it fails. Each attempt takes the next pod in turn, so that one of two that
 * are lost with their node is met by chance again and again until the cluster has noticed.
 */
const attempts = 12;

/** A request that no pod has seen a byte of is sent to the next one: the pod it was for is gone, with its node even. */
export function proxyConfigMap(identity: Identity): ManifestOf<k8s.KubeConfigMapProps> {
  const config = `http:\n  middlewares:\n    again:\n      retry:\n        attempts: ${attempts}\n`;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(identity), data: { [configFile.name]: config } };
}
