import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ControlPlane } from '../../operator/testing/index.js';

/** The cluster of the demo. */
export interface DemoCluster extends AsyncDisposable {
  /** Path of the kubeconfig that the demo uses. */
  readonly kubeconfig: string;
  /** Whether the demo starts and stops the cluster. Its nodes are simulated, and its data are not kept. */
  readonly own: boolean;
  /** A kubectl that certainly exists: the program and its first arguments. @default - that of the user */
  readonly kubectl?: readonly string[];
}

/**
 * A control plane with three simulated nodes only for the demo, or the cluster of a kubeconfig.
 *
 * @param say receives progress messages, for example of the first build of the control plane
 */
export async function demoCluster(kubeconfig: string | undefined, say: (line: string) => void): Promise<DemoCluster> {
  if (kubeconfig !== undefined) return { kubeconfig, own: false, [Symbol.asyncDispose]: async () => {} };
  const controlPlane = await ControlPlane.start({ nodes: 3, say });
  return {
    kubeconfig: controlPlane.kubeconfig,
    own: true,
    kubectl: controlPlane.location.kubectl,
    [Symbol.asyncDispose]: () => controlPlane.stop(),
  };
}

/** The connection of the demo to the API server. */
export interface DemoApi extends AsyncDisposable {
  readonly cluster: KubernetesCluster;
  readonly transport: Transport;
  /** Default namespace of the kubeconfig. */
  readonly namespace: string;
}

/** @throws {Error} if the kubeconfig cannot be read */
export async function demoApi(path: string): Promise<DemoApi> {
  const connection = await kubeconfig(path);
  const transport = new Transport(connection);
  const cluster = new KubernetesCluster(transport);
  return { cluster, transport, namespace: connection.namespace, [Symbol.asyncDispose]: () => transport.close() };
}
