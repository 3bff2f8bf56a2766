import type { KafkaClusterResource } from '../../imports/index.js';
import { dynamicProperties, kafkaHost, kafkaObjectNames, kafkaPorts } from '../../src/index.js';
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
  /** The KafkaCluster is being deleted, and nothing of it is kept. */
  readonly isGoing: boolean;
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
      isGoing: deletionTimestamp !== undefined,
    },
    brokers: brokers.map((node) => node.name),
    minInSync: Number(dynamicProperties(spec)['min.insync.replicas'] ?? 1),
  };
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
