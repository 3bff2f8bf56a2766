import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';

/** The file with the settings of the proxies that have no argument. */
export const configFile = { folder: '/etc/reconstruct', name: 'http.yaml' } as const;

/** The name of the middleware for every request, as used in arguments. */
export const againMiddleware = 'again@file';

/** Milliseconds in which a Pod must accept a connection. Its kernel does so even if the server is busy. */
export const dialTimeout = 300;

/**
 * The number of attempts for a request before it fails. Each attempt uses the next Pod in turn. If one of two Pods is
 * lost with its node, attempts can reach it again and again until the cluster detects the loss.
 */
const attempts = 14;

/**
 * The interval between two attempts, give or take a half. Without it, requests at regular times can reach the lost Pod
 * in each attempt. In a model with 100 requests per second and three Pods, of which one is lost, 1 in 60 requests
 * fails.
 */
const interval = '30ms';

/**
 * Makes the proxies retry a request at the next Pod if no byte of it reached the first one, such as after the loss of a
 * node.
 */
export function proxyConfigMap(identity: Identity): ManifestOf<k8s.KubeConfigMapProps> {
  const retry = `        attempts: ${attempts}\n        initialInterval: ${interval}\n`;
  const config = `http:\n  middlewares:\n    again:\n      retry:\n${retry}`;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(identity), data: { [configFile.name]: config } };
}
