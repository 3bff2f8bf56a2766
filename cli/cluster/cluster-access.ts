import { resolve } from 'node:path';
import { connectionFrom } from '../../operator/cluster/connection/connect.js';
import type { Connection } from '../../operator/cluster/connection/connection.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';

/** A way to an API server, for as long as a command runs. */
export interface ClusterAt extends AsyncDisposable {
  readonly cluster: KubernetesCluster;
  /** Where the API server is, as `https://example.com:6443`. */
  readonly origin: string;
  /** The namespace that the kubeconfig prefers. */
  readonly namespace: string;
}

/** The connection of a kubeconfig. @param path @default - as `kubectl` finds it */
export function connectionAt(path: string | undefined): Promise<Connection> {
  return connectionFrom(path === undefined ? process.env : { KUBECONFIG: resolve(path) });
}

/** @throws {Error} when the kubeconfig cannot be read */
export async function clusterAt(path: string | undefined): Promise<ClusterAt> {
  return clusterOver(await connectionAt(path));
}

export function clusterOver(connection: Connection): ClusterAt {
  const transport = new Transport(connection);
  const cluster = new KubernetesCluster(transport);
  const { origin, namespace } = connection;
  return { cluster, origin, namespace, [Symbol.asyncDispose]: () => transport.close() };
}
