import type { certificateKind, KafkaClusterResource } from '../../../../imports/index.js';
import {
  externalListeners,
  kafkaClusterId,
  kafkaClusterIdAnnotation,
  kafkaGroups,
  kafkaListenerCertificates,
  kafkaObjectNames,
} from '../../../../src/index.js';
import type { HostHandshakesAnswer } from '../../../consumers/handshakes.js';
import type { HookAnswer } from '../../../members/index.js';
import type { GoneNodesAnswer } from '../../../pods/gone-nodes.js';
import { withLeftClaims } from '../../../pods/left-claims.js';
import {
  type ConfigMap,
  type Facts,
  type Job,
  type LiveObject,
  type LivePersistentVolumeClaim,
  type Owned,
  PersistentVolumeClaim,
  Pod,
  type Polled,
  RejectedError,
  Service,
} from '../../../runtime/index.js';
import type { ClusterAnswer } from '../ports/cluster.js';
import type { ConsumersAnswer } from '../ports/consumers.js';
import { drainedBrokers } from './annotations/drained-brokers.js';
import type { KafkaReads } from './declarations.js';
import { advertisedBy, advertisedText } from './nodes/external-addresses.js';
import { bootstrappedAnnotation, type KafkaNode, nodesOf } from './nodes/nodes.js';

/** The part of the input that does not change with time. */
export interface StableView extends Pick<Facts<KafkaClusterResource>, 'resource' | 'isServed'> {
  readonly owned: Pick<
    Owned<
      | typeof Pod
      | typeof PersistentVolumeClaim
      | typeof Service
      | typeof Job
      | typeof ConfigMap
      | typeof certificateKind
    >,
    'of'
  >;
  /** Terminating Pods. In `desire`, `owned` contains them too. @default - none */
  readonly leaving?: Pick<Owned<typeof Pod>, 'of'>;
  readonly reads: KafkaReads;
}

/** The Secrets with which nodes start, as far as they have no certificate. */
export function missingCertificates({ resource: { metadata, spec }, reads }: StableView): readonly string[] {
  const listeners = kafkaListenerCertificates(metadata.name, spec).filter(
    (_, index) => !reads.listenerCertificates[index],
  );
  return [...(reads.nodeCertificate ? [] : [kafkaObjectNames(metadata.name).nodeCertificate]), ...listeners];
}

/** The input of `desire` and `assess`. */
export interface KafkaView extends StableView, Pick<Facts<KafkaClusterResource>, 'now'> {
  readonly polled: {
    readonly cluster: Polled<ClusterAnswer> | undefined;
    readonly certificates: Polled<HostHandshakesAnswer> | undefined;
    readonly consumers: Polled<ConsumersAnswer> | undefined;
    readonly goneNodes: Polled<GoneNodesAnswer> | undefined;
    readonly hook: Polled<HookAnswer> | undefined;
  };
}

/** The nodes that exist. @param gone machines that are known not to exist */
export function nodesIn(view: StableView, gone: readonly string[]): readonly KafkaNode[] {
  const { resource, owned, leaving, reads } = view;
  const { metadata, spec } = resource;
  const drained = drainedBrokers(resource);
  const pods = [...owned.of(Pod), ...(leaving?.of(Pod) ?? [])];
  const found = nodesOf({
    ...{ cluster: metadata.name, groups: kafkaGroups(spec), pods, claims: claimsIn(view) },
    ...{ nodes: reads.nodes, gone, topologyKey: spec.racks.topologyKey },
  });
  const nodes = found.map((node) =>
    node.role === 'broker' && drained.includes(node.id) ? { ...node, isDrained: true } : node,
  );
  if (externalListeners(spec).length === 0) return nodes;
  const services = owned.of(Service);
  return nodes.map((node) => {
    if (node.role === 'controller') return node;
    const { addresses, awaits } = advertisedBy(node.id, { resource, services });
    return { ...node, ...(awaits === undefined ? { reachable: advertisedText(addresses) } : { awaits }) };
  });
}

/**
 * The PVCs of the KafkaCluster, and unowned ones that an earlier one of the same name left. One that is being deleted takes
 * up no more: they may belong to another cluster of Kafka.
 */
export function claimsIn({
  resource,
  owned,
  reads,
}: Pick<StableView, 'resource' | 'owned' | 'reads'>): readonly LivePersistentVolumeClaim[] {
  const own = owned.of(PersistentVolumeClaim);
  return resource.metadata.deletionTimestamp === undefined ? withLeftClaims(own, reads.claims) : own;
}

/** True if the metadata quorum has been seen: by this KafkaCluster, or by the one whose volumes it takes up. */
export function isBootstrapped(view: StableView): boolean {
  const isSeen = ({ metadata }: LivePersistentVolumeClaim) => metadata.annotations?.[bootstrappedAnnotation] === 'true';
  return view.resource.status?.bootstrapped === true || claimsIn(view).some(isSeen);
}

/** True for a PVC of another cluster of Kafka than that of the KafkaCluster. */
export function isOfOtherCluster({ metadata }: LiveObject, { status }: Pick<KafkaClusterResource, 'status'>): boolean {
  const id = metadata.annotations?.[kafkaClusterIdAnnotation];
  return id !== undefined && status?.clusterId !== undefined && id !== status.clusterId;
}

/** The identifiers of clusters in Kafka that the status and the volumes have. */
export function knownClusterIds(view: StableView): readonly string[] {
  const { status } = view.resource;
  const known = claimsIn(view).flatMap((claim) => claim.metadata.annotations?.[kafkaClusterIdAnnotation] ?? []);
  return [...new Set([...(status?.clusterId === undefined ? [] : [status.clusterId]), ...known])];
}

/**
 * The identifier of the cluster in Kafka: that of the volumes that an earlier KafkaCluster left, or a new one.
 * @throws {RejectedError} when volumes of two clusters are there, unless the KafkaCluster is being deleted
 */
export function clusterIdOf(view: StableView): string {
  const { metadata } = view.resource;
  const ids = knownClusterIds(view);
  // The nodes of one that is being deleted only stop: none of them starts on the volume of another cluster.
  if (ids.length > 1 && metadata.deletionTimestamp === undefined)
    throw new RejectedError(
      'VolumesOfOtherCluster',
      `the PVCs of ${metadata.name} belong to ${ids.length} clusters of Kafka: ${ids.toSorted().join(', ')}; delete those of the clusters that you do not need, or use another name`,
    );
  return ids[0] ?? kafkaClusterId(metadata.uid);
}
