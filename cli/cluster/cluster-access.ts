import { resolve } from 'node:path';
import { connectionFrom } from '../../operator/cluster/connection/connect.js';
import type { Connection } from '../../operator/cluster/connection/connection.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';

/** A connection to an API server for the duration of a command. */
export interface ClusterAt extends AsyncDisposable {
  readonly cluster: KubernetesCluster;
  /** Origin of the API server, for example `https://example.com:6443`. */
  readonly origin: string;
  /** Default namespace of the kubeconfig. */
  readonly namespace: string;
}

/** The connection of a kubeconfig. @param path @default - the same file as `kubectl` */
export function connectionAt(path: string | undefined): Promise<Connection> {
  return connectionFrom(path === undefined ? process.env : { KUBECONFIG: resolve(path) });
}

/** @throws {Error} if the kubeconfig cannot be read */
export async function clusterAt(path: string | undefined): Promise<ClusterAt> {
  return clusterOver(await connectionAt(path));
}

export function clusterOver(connection: Connection): ClusterAt {
  const transport = new Transport(connection);
  const cluster = new KubernetesCluster(transport);
  const { origin, namespace } = connection;
  return { cluster, origin, namespace, [Symbol.asyncDispose]: () => transport.close() };
}
