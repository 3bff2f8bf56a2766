import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from './connection.js';
import { kubeconfig } from './kubeconfig.js';
import { renewedCredentials } from './renewed-credentials.js';

/** The part of the environment that shows where the API server is. */
export interface Surroundings {
  readonly KUBECONFIG?: string | undefined;
  readonly KUBERNETES_SERVICE_HOST?: string | undefined;
  readonly KUBERNETES_SERVICE_PORT?: string | undefined;
  readonly HOME?: string | undefined;
}

/**
 * The connection from the environment: `KUBECONFIG` if it is set, the service account in a pod, otherwise the
 * kubeconfig in the home directory.
 * @param context a context of the kubeconfig. @default - its current context
 * @throws {Error} if none of these exists, or if a context is given and no kubeconfig exists
 */
export async function connectionFrom(surroundings: Surroundings, context?: string): Promise<Connection> {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, HOME } = surroundings;
  if (KUBECONFIG) return kubeconfig(KUBECONFIG, context);
  if (host && context === undefined) return inClusterConnection({ host, port: port ?? '443' });
  const usual = HOME && join(HOME, '.kube', 'config');
  if (usual && existsSync(usual)) return kubeconfig(usual, context);
  if (host)
    throw new Error(
      `context ${context} needs a kubeconfig: set KUBECONFIG, or use the service account without a context`,
    );
  throw new Error(
    'no API server is configured: set KUBECONFIG, create ~/.kube/config, or run in a pod with a service account',
  );
}

/** Where the kubelet mounts a service account's token. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

interface InCluster {
  /** `KUBERNETES_SERVICE_HOST` */
  readonly host: string;
  /** `KUBERNETES_SERVICE_PORT` */
  readonly port: string;
  /** @default - the directory of the pod's service account */
  readonly folder?: string;
  /** Milliseconds, monotonic. @default performance.now */
  readonly monotonic?: () => number;
}

/** The connection of a pod, with the token and the CA certificate of its service account. */
export async function inClusterConnection({
  host,
  port,
  folder = serviceAccount,
  monotonic,
}: InCluster): Promise<Connection> {
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const credentials = renewedCredentials(async () => {
    const [token, ca] = await Promise.all([read('token'), read('ca.crt')]);
    return { authorization: `Bearer ${token}`, tls: { ca } };
  }, monotonic);
  await credentials();
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { origin, basePath: '', namespace: await read('namespace'), credentials };
}
