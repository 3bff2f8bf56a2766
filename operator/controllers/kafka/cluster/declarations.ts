import {
  certificateKind,
  issuerKind,
  type KafkaClusterResource,
  kafkaTopicKind,
  kafkaUserKind,
  secretRotationKind,
} from '../../../../imports/index.js';
import { kafkaListenerCertificates, kafkaObjectNames, kafkaSelector } from '../../../../src/index.js';
import { principalOf } from '../../../kafka/user-rights.js';
import { readNodes } from '../../../members/index.js';
import {
  ConfigMap,
  type Found,
  Job,
  NetworkPolicy,
  optional,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  type Refer,
  Secret,
  Service,
  ServiceAccount,
  withoutOwnerReference,
} from '../../../runtime/index.js';
import { topicClaim } from './annotations/unclaimed-topics.js';
import { nodeCertificateIn } from './certificates/node-certificate.js';

/** The routes of listeners for other networks. The Gateway API has them in this version since 1.5. */
export const tlsRoute = optional({
  ...{ group: 'gateway.networking.k8s.io', version: 'v1', kind: 'TLSRoute', plural: 'tlsroutes', namespaced: true },
} as const);

/**
 * Kinds that a KafkaCluster owns. Most have no owner references, so only the controller deletes them: brokers stop before
 * controllers, and volumes go last.
 */
export const owns = [
  withoutOwnerReference(ServiceAccount),
  withoutOwnerReference(ConfigMap),
  withoutOwnerReference(Service),
  withoutOwnerReference(tlsRoute),
  withoutOwnerReference(NetworkPolicy),
  withoutOwnerReference(PodDisruptionBudget),
  withoutOwnerReference(issuerKind),
  withoutOwnerReference(certificateKind),
  withoutOwnerReference(PersistentVolumeClaim),
  withoutOwnerReference(Pod),
  // Nothing depends on the Jobs of hooks, so they have an owner reference.
  Job,
] as const;

/** Kinds with users in Kafka. While one cannot be read, no login is refused. */
export const claimants = { users: optional(kafkaUserKind), rotations: optional(secretRotationKind) } as const;

/** The kind that has topics in Kafka. While it cannot be read, no mark of a topic changes. */
export const topicClaimant = optional(kafkaTopicKind);

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<KafkaClusterResource>) => ({
  nodes: readNodes(refer),
  /** PVCs with the name of the KafkaCluster, including those that an earlier one left. */
  claims: refer.matchingLabels(PersistentVolumeClaim, ({ metadata: { name } }) => ({ labels: kafkaSelector(name) })),
  /** The certificates with which nodes start. */
  nodeCertificate: refer.named(
    Secret,
    ({ metadata }) => kafkaObjectNames(metadata.name).nodeCertificate,
    nodeCertificateIn,
  ),
  listenerCertificates: refer.eachNamed(
    Secret,
    ({ metadata, spec }) => kafkaListenerCertificates(metadata.name, spec),
    nodeCertificateIn,
  ),
  operatorCertificate: refer.named(
    Secret,
    ({ metadata }) => kafkaObjectNames(metadata.name).operatorCertificate,
    nodeCertificateIn,
  ),
  users: refer.byIndex(claimants.users, { indexFunc: clusterIn, values: ownName }, principalOf),
  topics: refer.byIndex(topicClaimant, { indexFunc: clusterIn, values: ownName }, topicClaim),
  rotations: refer.matchingLabels(
    claimants.rotations,
    () => ({ labels: {} }),
    ({ metadata }) => metadata.name,
  ),
});

interface OfCluster {
  readonly metadata: KafkaClusterResource['metadata'];
  readonly spec: { readonly cluster: { readonly name: string } };
}

function clusterIn({ metadata, spec }: OfCluster): readonly string[] {
  return [`${metadata.namespace}/${spec.cluster.name}`];
}

function ownName({ metadata }: Pick<KafkaClusterResource, 'metadata'>): readonly string[] {
  return [`${metadata.namespace}/${metadata.name}`];
}

/** The objects that `reads` finds. */
export type KafkaReads = Found<ReturnType<typeof reads>>;
