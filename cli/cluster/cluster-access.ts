import { resolve } from 'node:path';
import { connectionFrom } from '../../operator/cluster/connection/connect.js';
import type { Connection } from '../../operator/cluster/connection/connection.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import type { AccessOptions } from './access-options.js';

/** A connection to an API server for the duration of a command. */
export interface ClusterAt extends AsyncDisposable {
  readonly cluster: KubernetesCluster;
  /** Origin of the API server, for example `https://example.com:6443`. */
  readonly origin: string;
  /** Default namespace of the context. */
  readonly namespace: string;
}

/** The connection that the options name. Without options, it is the one of `kubectl`. */
export function connectionAt({ kubeconfig, context }: AccessOptions): Promise<Connection> {
  return connectionFrom(kubeconfig === undefined ? process.env : { KUBECONFIG: resolve(kubeconfig) }, context);
}

/** @throws {Error} if the kubeconfig cannot be read */
export async function clusterAt(options: AccessOptions): Promise<ClusterAt> {
  return clusterOver(await connectionAt(options));
}

export function clusterOver(connection: Connection): ClusterAt {
  const transport = new Transport(connection);
  const cluster = new KubernetesCluster(transport);
  const { origin, namespace } = connection;
  return { cluster, origin, namespace, [Symbol.asyncDispose]: () => transport.close() };
}
