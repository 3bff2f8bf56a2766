import { kubeconfig } from '../../operator/cluster/kubeconfig.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { Transport } from '../../operator/cluster/transport.js';

/** The demo's own way to the API server of a kubeconfig. */
export interface DemoApi extends AsyncDisposable {
  readonly cluster: KubernetesCluster;
  readonly transport: Transport;
  /** The namespace that the kubeconfig prefers. */
  readonly namespace: string;
}

/** @throws {Error} when the kubeconfig cannot be read */
export async function demoApi(path: string): Promise<DemoApi> {
  const connection = await kubeconfig(path);
  const transport = new Transport(connection);
  const cluster = new KubernetesCluster(transport);
  return { cluster, transport, namespace: connection.namespace, [Symbol.asyncDispose]: () => transport.close() };
}
