import type { KafkaClusterResource, KafkaTopicResource, KafkaUserResource } from '../../imports/index.js';
import { brokersIn, dynamicProperties, kafkaHost, kafkaObjectNames, kafkaPorts, minInSync } from '../../src/index.js';
import { retiredLabel } from '../members/index.js';
import type { LiveObject, LivePersistentVolumeClaim } from '../runtime/index.js';
import type { KafkaAccess } from './access.js';

/** What topics and users need to know of their KafkaCluster. */
export interface ClusterPart {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Names of the brokers, whether they run or not, so that the answers stay when one of them stops. */
  readonly brokers: readonly string[];
  readonly listeners: KafkaClusterResource['spec']['listeners'];
  /** Where clients in other networks begin, by listener, as far as it is assigned. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The number of in-sync replicas that topics need unless they have their own. */
  readonly minInSync: number;
  /** The brokers that run and those of the spec, of a cluster whose nodes have never all run. */
  readonly forming?: { readonly running: number; readonly wanted: number };
  /** Clients can produce and consume, as the KafkaCluster reports it. */
  readonly isAvailable: boolean;
  /** The KafkaCluster is being deleted. */
  readonly isGoing: boolean;
  /** Its volumes stay when it is deleted. */
  readonly keepsVolumes: boolean;
}

/** Reads these parts. Most changes of a KafkaCluster change none of them. */
export function clusterPart({ metadata, spec, status }: KafkaClusterResource): ClusterPart {
  const { uid, name, namespace = '', deletionTimestamp } = metadata;
  const brokers = (status?.nodes ?? []).filter(({ role }) => role === 'Broker');
  const addresses = (status?.listeners ?? []).flatMap(({ name: listener, bootstrapServers }) =>
    bootstrapServers === undefined ? [] : [[listener, bootstrapServers] as const],
  );
  return {
    ...{
      uid,
      name,
      namespace,
      listeners: spec.listeners,
      addresses: Object.fromEntries(addresses),
      isAvailable: (status?.conditions ?? []).some(({ type, status: is }) => type === 'Available' && is === 'True'),
      isGoing: deletionTimestamp !== undefined,
      keepsVolumes: spec.deletionPolicy === 'Retain',
    },
    brokers: brokers.map((node) => node.name),
    ...(status?.version === undefined && { forming: formingOf(spec, brokers) }),
    minInSync: inSyncWith(brokers.length, spec),
  };
}

function formingOf(
  spec: KafkaClusterResource['spec'],
  brokers: readonly { readonly state: string }[],
): NonNullable<ClusterPart['forming']> {
  return { running: brokers.filter(({ state }) => state === 'Running').length, wanted: brokersIn(spec) };
}

/** While a cluster shrinks, brokers count until they have left. @param existing brokers */
function inSyncWith(existing: number, spec: KafkaClusterResource['spec']): number {
  const own = Number(dynamicProperties(spec)[minInSync] ?? 1);
  return Math.max(own, Number(dynamicProperties(spec, existing)[minInSync] ?? 1));
}

/**
 * Milliseconds between two questions about a topic or a user. They are few while the cluster serves, and a cluster that begins
 * to serve is asked at once, because another interval is another question.
 */
export function askedEvery({ isAvailable }: ClusterPart): number {
  return isAvailable ? 30_000 : 5_000;
}

/** How the operator reaches the cluster. Undefined while it has no brokers. */
export function accessOf(cluster: ClusterPart | undefined): KafkaAccess | undefined {
  if (!cluster || cluster.isGoing || cluster.brokers.length === 0) return undefined;
  const { uid, name, namespace } = cluster;
  const bootstrap = cluster.brokers.map((pod) => ({
    host: kafkaHost(pod, { name, namespace }),
    port: kafkaPorts.replication,
  }));
  return { cluster: uid, namespace, secret: kafkaObjectNames(name).operatorCertificate, bootstrap };
}

/** A volume of a KafkaCluster, as topics and users see it. */
export interface ClusterVolume {
  /** A cluster of the same name would start with its data. */
  readonly isKept: boolean;
}

/** Reads a volume. A retired one has no part in the cluster, and one that is being deleted goes with its data. */
export function clusterVolume({ metadata }: LivePersistentVolumeClaim): ClusterVolume {
  return { isKept: metadata.deletionTimestamp === undefined && metadata.labels?.[retiredLabel] === undefined };
}

/** What is known of the KafkaCluster of a topic or user. */
export interface ClusterReads {
  readonly cluster: ClusterPart | undefined;
  readonly volumes: readonly ClusterVolume[];
  /** The namespace is being deleted. Undefined if the operator cannot read it. */
  readonly isNamespaceEnding?: boolean | undefined;
}

/** True if an object is being deleted. */
export function isBeingDeleted({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** That the cluster of a topic or user ends with the namespace, as a message. Undefined if it does not, as far as is known. */
export function namespaceEnds(
  { metadata, spec }: Pick<KafkaTopicResource | KafkaUserResource, 'metadata' | 'spec'>,
  { cluster, isNamespaceEnding }: Omit<ClusterReads, 'volumes'>,
): string | undefined {
  if (!isNamespaceEnding) return undefined;
  const state = cluster ? 'goes with it' : 'does not exist any more';
  return `Namespace ${metadata.namespace} is being deleted, and KafkaCluster ${spec.cluster.name} ${state}`;
}

/**
 * Why a deleted topic or user cannot be removed from Kafka yet, for people, after "because". The cluster does not run, but
 * its volumes still have the topic or the login, which would be valid again when the cluster returns. Undefined if nothing
 * of it is kept, or if the cluster can be asked.
 */
export function awaitedReturn(
  { metadata, spec }: Pick<KafkaTopicResource | KafkaUserResource, 'metadata' | 'spec'>,
  { cluster, volumes, isNamespaceEnding }: ClusterReads,
): string | undefined {
  if (accessOf(cluster) || (cluster?.isGoing && !cluster.keepsVolumes)) return undefined;
  if (!volumes.some(({ isKept }) => isKept)) return undefined;
  const { name } = spec.cluster;
  if (isNamespaceEnding)
    return `namespace ${metadata.namespace} is being deleted and still has the volumes of KafkaCluster ${name}: wait until its PVCs are deleted`;
  return `KafkaCluster ${name} does not run and its volumes are kept: create it again, or delete its PVCs`;
}
