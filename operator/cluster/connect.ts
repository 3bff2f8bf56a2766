import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from './connection.js';
import { inCluster } from './in-cluster.js';
import { kubeconfig } from './kubeconfig.js';

/** The part of the environment that says where the API server is. */
export interface Surroundings {
  readonly KUBECONFIG?: string | undefined;
  readonly KUBERNETES_SERVICE_HOST?: string | undefined;
  readonly KUBERNETES_SERVICE_PORT?: string | undefined;
  readonly HOME?: string | undefined;
}

/**
 * The connection that the surroundings offer: `KUBECONFIG` if it is set, the service account in a pod, else the
 * kubeconfig in the home folder.
 * @throws {Error} when there is none of these
 */
export async function connectionFrom(surroundings: Surroundings): Promise<Connection> {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, HOME } = surroundings;
  if (KUBECONFIG) return kubeconfig(KUBECONFIG);
  if (host) return inCluster({ host, port: port ?? '443' });
  const usual = HOME && join(HOME, '.kube', 'config');
  if (usual && existsSync(usual)) return kubeconfig(usual);
  throw new Error(
    'no API server is configured: set KUBECONFIG, have a ~/.kube/config, or run in a pod with a service account',
  );
}
