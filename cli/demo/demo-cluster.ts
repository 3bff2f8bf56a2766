import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ControlPlane } from '../../operator/testing/index.js';

/** The cluster that the demo plays on. */
export interface DemoCluster extends AsyncDisposable {
  /** Path of a kubeconfig with which the demo installs things. */
  readonly kubeconfig: string;
  /** Whether the demo started it, and ends it: it has no nodes then, and nothing in it is worth keeping. */
  readonly own: boolean;
  /** A kubectl that is there for sure: the program and its first arguments. @default - the user's own */
  readonly kubectl?: readonly string[];
}

/**
 * A control plane for the demo alone, or the cluster of a kubeconfig.
 *
 * @param say takes lines about what takes long, such as the first build of the control plane
 */
export async function demoCluster(kubeconfig: string | undefined, say: (line: string) => void): Promise<DemoCluster> {
  if (kubeconfig !== undefined) return { kubeconfig, own: false, [Symbol.asyncDispose]: async () => {} };
  const controlPlane = await ControlPlane.start({ say });
  return {
    kubeconfig: controlPlane.kubeconfig,
    own: true,
    kubectl: controlPlane.location.kubectl,
    [Symbol.asyncDispose]: () => controlPlane.stop(),
  };
}

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
