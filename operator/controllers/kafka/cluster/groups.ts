import type { KafkaClusterResource } from '../../../../imports/index.js';
import {
  type KafkaGroup,
  kafkaBrokersForDefaultsAnnotation,
  kafkaGroups,
  kafkaImage,
  kafkaNodeRevision,
  kafkaObjectNames,
} from '../../../../src/index.js';
import { fingerprint } from '../../../../src/manifest/fingerprint.js';
import { ConfigMap } from '../../../runtime/index.js';
import type { NodeCertificate } from './certificates/node-certificate.js';
import type { KafkaNode, NodeGroup } from './nodes/nodes.js';
import { brokersForDefaults } from './nodes/replication-defaults.js';
import { nodesIn, type StableView } from './view.js';

/** The desired nodes of a group. */
export interface WantedGroup extends NodeGroup {
  readonly replicas: number;
  /** Hash of the desired Pod template. */
  readonly revision: string | undefined;
  /** The certificates of its nodes. Undefined while one of them is missing or not readable. */
  readonly certificates?: WantedCertificates | undefined;
}

/** The certificates in the Secrets of a group. Times are in milliseconds since 1970. */
export interface WantedCertificates {
  /** Identifies all of them. */
  readonly hash: string;
  /** The validity of the one with which its nodes reach the controllers. */
  readonly from: number;
  readonly to: number;
}

/** The groups of the spec, with the revisions of their Pods. @param nodes those that exist */
export function wantedGroups(view: StableView, nodes = nodesIn(view, [])): readonly WantedGroup[] {
  const { resource, reads } = view;
  const { metadata, spec } = resource;
  const { name, namespace = '' } = metadata;
  const brokers = defaultsIn(view, nodes);
  return kafkaGroups(spec).map(({ name: group, role, isCombined, replicas }) => {
    const settings = { name, namespace, spec, image: kafkaImage(spec), group, brokersForDefaults: brokers };
    const { nodeCertificate, listenerCertificates } = reads;
    const all = role === 'broker' ? [nodeCertificate, ...listenerCertificates] : [nodeCertificate];
    const isComplete = nodeCertificate !== undefined && all.every((one) => one !== undefined);
    return {
      ...{ name: group, role, replicas, ...(isCombined && { isCombined }) },
      // Renewed certificates are loaded without a restart, other authorities are not.
      revision: isComplete ? kafkaNodeRevision({ ...settings, certificates: nodeCertificate.authorities }) : undefined,
      certificates: certificatesOf(all),
    };
  });
}

/** The number of brokers from which the defaults of replication follow. @param nodes those that exist */
export function defaultsIn(view: StableView, nodes: readonly KafkaNode[]): number {
  const { metadata, spec } = view.resource;
  const config = view.owned.of(ConfigMap).find((one) => one.metadata.name === kafkaObjectNames(metadata.name).config);
  const [, remembered] =
    /^([1-3])$/.exec(config?.metadata.annotations?.[kafkaBrokersForDefaultsAnnotation] ?? '') ?? [];
  return brokersForDefaults(spec, nodes, remembered === undefined ? undefined : Number(remembered));
}

function certificatesOf(all: readonly (NodeCertificate | undefined)[]): WantedCertificates | undefined {
  const validity = all[0]?.validity;
  const fingerprints = all.map((one) => one?.fingerprint);
  if (!validity || fingerprints.includes(undefined)) return undefined;
  return { hash: fingerprint(fingerprints), ...validity };
}

/** The group of a node. A node of a removed pool has the settings of `spec.brokers`. */
export function groupOf(
  { spec }: KafkaClusterResource,
  { group, role }: Pick<KafkaNode, 'group' | 'role'>,
): KafkaGroup {
  const groups = kafkaGroups(spec);
  const found = groups.find(({ name }) => name === group) ?? groups.find((one) => one.role === role);
  if (!found) throw new Error(`a KafkaCluster has no ${role}`);
  return found;
}
