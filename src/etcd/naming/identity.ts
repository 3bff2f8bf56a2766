import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Identity } from '../../workload/identity.js';

/** A reference to an EtcdCluster. */
export interface EtcdClusterRef {
  /** The name of the EtcdCluster. */
  readonly name: string;
  /** The namespace of the EtcdCluster. @default - the namespace of the chart */
  readonly namespace?: string | undefined;
}

/** The name and namespace of an EtcdCluster, and the labels of all of its objects. */
export interface EtcdIdentity extends Identity {
  readonly namespace: string;
}

const clusterLabel = 'reconstruct.dev/etcd-cluster';

/** The label of the objects of one member: its Pod and its PersistentVolumeClaim. */
export const etcdMemberLabel = 'reconstruct.dev/etcd-member';

/**
 * The identity of an EtcdCluster.
 * @throws {Error} if neither the EtcdCluster nor its chart has a namespace, which host names and certificates contain
 */
export function etcdIdentity(scope: IConstruct, { name, namespace }: EtcdClusterRef): EtcdIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error(
      'namespace must be set, because certificates of an EtcdCluster contain it; set namespace, or the namespace of the chart',
    );
  }
  return { name, namespace: stated, labels: etcdLabels(name) };
}

/** The labels of all objects of an EtcdCluster. */
function etcdLabels(cluster: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'etcd',
    'app.kubernetes.io/instance': cluster,
    'app.kubernetes.io/managed-by': 'reconstruct',
    [clusterLabel]: cluster,
  };
}

/** The labels of the Pod and the PVC of a member. @param member name of the member, such as `store-2` */
export function etcdMemberLabels(cluster: string, member: string): Readonly<Record<string, string>> {
  return { ...etcdLabels(cluster), [etcdMemberLabel]: member };
}

/** The selector of the Pods and PVCs of an EtcdCluster. */
export function etcdSelector(cluster: string): Readonly<Record<string, string>> {
  return { [clusterLabel]: cluster };
}
