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
const attempts = 14;

/**
 * Between two attempts, give or take a half. Without it requests that come at even times may meet the lost pod in each of
 * their turns: of 100 a second before three pods, one of which is lost, a model of it loses 1 in 60.
 */
const interval = '30ms';

/** A request that no pod has seen a byte of is sent to the next one: the pod it was for is gone, with its node even. */
export function proxyConfigMap(identity: Identity): ManifestOf<k8s.KubeConfigMapProps> {
  const retry = `        attempts: ${attempts}\n        initialInterval: ${interval}\n`;
  const config = `http:\n  middlewares:\n    again:\n      retry:\n${retry}`;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(identity), data: { [configFile.name]: config } };
}
