import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KafkaClusterSpec } from '../../../imports/index.js';
import type { Identity } from '../../workload/identity.js';

/** A reference to a KafkaCluster. */
export interface KafkaClusterRef {
  /** The name of the KafkaCluster. */
  readonly name: string;
  /** The namespace of the KafkaCluster. @default - the namespace of the chart */
  readonly namespace?: string | undefined;
}

/** The name and namespace of a KafkaCluster, and the labels of all of its objects. */
export interface KafkaIdentity extends Identity {
  readonly namespace: string;
}

/** A node of a KafkaCluster. */
export interface KafkaNodeRef {
  /** `node.id` of Kafka. */
  readonly id: number;
  /** `broker`, `controller`, or the name of a pool of brokers. */
  readonly group: string;
  readonly role: 'broker' | 'controller';
  /** A broker that is a controller too. @default false */
  readonly isCombined?: boolean | undefined;
}

const clusterLabel = 'reconstruct.dev/kafka-cluster';

/** The label with the role of a node. */
export const kafkaRoleLabel = 'reconstruct.dev/kafka-role';
/** The label with the group of a node. */
const groupLabel = 'reconstruct.dev/kafka-group';
/** The label with the ID of a broker. Only clusters with listeners for other networks have it. */
export const kafkaNodeLabel = 'reconstruct.dev/kafka-node';
/** The label of the Pods of hooks with the name of their cluster. */
export const kafkaHookLabel = 'reconstruct.dev/kafka-hook';

/**
 * The identity of a KafkaCluster.
 * @throws {Error} if neither the KafkaCluster nor its chart has a namespace, which host names and certificates contain
 */
export function kafkaIdentity(scope: IConstruct, { name, namespace }: KafkaClusterRef): KafkaIdentity {
  const stated = namespace ?? Chart.of(scope).namespace;
  if (stated === undefined) {
    throw new Error(
      'namespace must be set, because certificates of a KafkaCluster contain it; set namespace, or the namespace of the chart',
    );
  }
  return { name, namespace: stated, labels: kafkaLabels(name) };
}

/** The labels of all objects of a KafkaCluster. */
function kafkaLabels(cluster: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'kafka',
    'app.kubernetes.io/instance': cluster,
    'app.kubernetes.io/managed-by': 'reconstruct',
    [clusterLabel]: cluster,
  };
}

/** The labels of the Pod and the PVC of a node. */
export function kafkaNodeLabels(cluster: string, { group, role }: KafkaNodeRef): Readonly<Record<string, string>> {
  return { ...kafkaLabels(cluster), [kafkaRoleLabel]: role, [groupLabel]: group };
}

/** The selector of the Pods and PVCs of a KafkaCluster, of a role or a group if one is given. */
export function kafkaSelector(
  cluster: string,
  { role, group }: Partial<Pick<KafkaNodeRef, 'role' | 'group'>> = {},
): Readonly<Record<string, string>> {
  return { [clusterLabel]: cluster, ...(role && { [kafkaRoleLabel]: role }), ...(group && { [groupLabel]: group }) };
}

/** The group of the controllers in Pods of their own. No pool can have its name. */
export const kafkaControllerGroup = 'controller';

/** The groups of nodes that a spec has, controllers first. */
export function kafkaGroups(spec: KafkaClusterSpec): readonly KafkaGroup[] {
  const { controllers, brokers, pools } = spec;
  const { combined, ...dedicated } = controllers;
  const group = { ...dedicated, storage: { ...dedicated.storage, additionalVolumes: [] } };
  return [
    ...(combined ? [] : [{ ...group, name: kafkaControllerGroup, role: 'controller' as const }]),
    { ...brokers, name: 'broker', role: 'broker', ...(combined && { isCombined: true }) },
    ...pools.map((pool) => ({ ...pool, role: 'broker' as const })),
  ];
}

/** True for a node that is a controller, in a Pod of its own or in that of a broker. */
export function isKafkaController({ role, isCombined }: Pick<KafkaNodeRef, 'role' | 'isCombined'>): boolean {
  return role === 'controller' || isCombined === true;
}

/** The nodes of one role with the same template. */
export interface KafkaGroup
  extends Pick<KafkaClusterSpec['brokers'], 'replicas' | 'storage' | 'resources' | 'podTemplate'> {
  readonly name: string;
  readonly role: KafkaNodeRef['role'];
  /** Its brokers are the controllers. @default false */
  readonly isCombined?: boolean;
}
