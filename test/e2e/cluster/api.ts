import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { connectionFrom, type LiveOf, type ObjectKind } from '../../../operator/index.js';

let cluster: Promise<KubernetesCluster> | undefined;

/** The cluster that KUBECONFIG names. */
export async function api(): Promise<KubernetesCluster> {
  cluster ??= connectionFrom({ KUBECONFIG: process.env['KUBECONFIG'] }).then(
    (connection) => new KubernetesCluster(new Transport(connection)),
  );
  return cluster;
}

/** The objects of a kind. @param labelSelector as `app=x,tier=y` */
export async function listed<K extends ObjectKind>(
  kind: K,
  query: { readonly namespace?: string; readonly labelSelector?: string } = {},
): Promise<readonly LiveOf<K>[]> {
  const { items } = await (await api()).list(kind, query);
  return items as readonly LiveOf<K>[];
}

/** One object; undefined when there is none. */
export async function read<K extends ObjectKind>(
  kind: K,
  name: { readonly namespace?: string; readonly name: string },
): Promise<LiveOf<K> | undefined> {
  return (await (await api()).read(kind, name)) as LiveOf<K> | undefined;
}
