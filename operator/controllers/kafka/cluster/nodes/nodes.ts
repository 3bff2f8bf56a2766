import { additionalVolumeOf, kafkaClaimName, kafkaControllerGroup } from '../../../../../src/index.js';
import {
  type Member,
  type MemberObjects,
  membersFrom,
  type ObjectsOfMember,
  retirementOf,
} from '../../../../members/index.js';
import type { LivePersistentVolumeClaim } from '../../../../runtime/index.js';
import { advertisedAnnotation } from './external-addresses.js';

/** Annotations of a Pod: a hash of the certificates that its Secrets had when it was created, and the end of that of the node. */
export const certificatesAnnotation = 'reconstruct.dev/certificates';
export const certificateEndAnnotation = 'reconstruct.dev/certificate-end';
/** Annotation of every PVC since the metadata quorum was seen: no volume is formatted as one of the first controllers again. */
export const bootstrappedAnnotation = 'reconstruct.dev/bootstrapped';

/** The nodes of one role with the same template: `broker`, `controller`, or the name of a pool of brokers. */
export interface NodeGroup {
  readonly name: string;
  readonly role: 'broker' | 'controller';
  /** Its brokers are the controllers. */
  readonly isCombined?: boolean | undefined;
  /** The volumes of each of its nodes. */
  readonly storage?: { readonly additionalVolumes: readonly { readonly name: string }[] };
}

/** One broker or controller. Its first PVC has the name of its Pod, `CLUSTER-GROUP-ID`. */
export interface KafkaNode extends Member {
  /** `node.id` of Kafka. */
  readonly id: number;
  readonly group: string;
  readonly role: NodeGroup['role'];
  /** A broker that is a controller too. */
  readonly isCombined?: boolean | undefined;
  /** Why no node runs on its PVCs any more: it has left, or its machine was lost. Undefined for PVCs in use. */
  readonly retired?: 'removed' | 'lost' | undefined;
  /** A person wants that it has no replicas. */
  readonly isDrained?: boolean;
  /** A hash of the certificates with which its Pod was created. */
  readonly certificates?: string | undefined;
  /** The end of the certificate of the node, in milliseconds since 1970. */
  readonly certificateEnd?: number | undefined;
  /** The addresses for clients in other networks with which its Pod was created, as text. */
  readonly advertised?: string | undefined;
  /** The addresses that it should advertise. Undefined while one is not assigned. */
  readonly reachable?: string | undefined;
  /** Why an address is not assigned. */
  readonly awaits?: string | undefined;
}

/** The observed objects from which nodes are derived. */
export interface Seen extends MemberObjects {
  /** The name of the KafkaCluster. */
  readonly cluster: string;
  /** In the order in which ids are given. */
  readonly groups: readonly NodeGroup[];
}

/** True for a node that has left, or whose machine was lost. Its PVCs are kept. */
export function isRetired({ retired }: Pick<KafkaNode, 'retired'>): boolean {
  return retired !== undefined;
}

/** The existing nodes, ordered by id. */
export function nodesOf(seen: Seen): readonly KafkaNode[] {
  const groupOf = (name: string) => identityOf(name, seen)?.group ?? '';
  const names = {
    memberOf: ({ metadata }: LivePersistentVolumeClaim) => additionalVolumeOf(metadata.name)?.node,
    additionalClaims: (name: string) => additionalClaimsOf(name, groupOf(name), seen),
    podTemplate: (name: string) => podTemplateOf(groupOf(name)),
  };
  return membersFrom(seen, names, (found) => nodeOf(found, seen)).toSorted((a, b) => a.id - b.id);
}

/** The group and id in the name of a node. Undefined for other names. */
export function identityOf(
  name: string,
  { cluster, groups }: Pick<Seen, 'cluster' | 'groups'>,
): Pick<KafkaNode, 'id' | 'group' | 'role' | 'isCombined'> | undefined {
  const match = name.startsWith(`${cluster}-`) ? /^(.+)-(0|[1-9]\d{0,5})$/.exec(name.slice(cluster.length + 1)) : null;
  const [, of = '', digits] = match ?? [];
  if (!match) return undefined;
  // A pool that the spec no longer has still has nodes.
  const { isCombined } = groups.find((group) => group.name === of) ?? {};
  const role = of === kafkaControllerGroup ? 'controller' : 'broker';
  return { id: Number(digits), group: of, role, ...(isCombined && { isCombined }) };
}

function nodeOf({ member, pod, claim }: ObjectsOfMember, seen: Seen): KafkaNode | undefined {
  const identity = identityOf(member.name, seen);
  if (!identity) return undefined;
  const retired = retirementOf(claim);
  const { annotations } = pod?.metadata ?? {};
  const end = annotations?.[certificateEndAnnotation];
  return {
    ...member,
    ...identity,
    ...(retired !== undefined && { retired: retired === 'lost' ? ('lost' as const) : ('removed' as const) }),
    ...(pod && {
      certificates: annotations?.[certificatesAnnotation],
      ...(end !== undefined && { certificateEnd: Date.parse(end) }),
      advertised: annotations?.[advertisedAnnotation],
    }),
  };
}

/** Names of the PVCs of the additional volumes that the spec has. */
function additionalClaimsOf(node: string, group: string, { groups }: Seen): readonly string[] {
  const { storage } = groups.find(({ name }) => name === group) ?? {};
  return (storage?.additionalVolumes ?? []).map(({ name }) => kafkaClaimName(node, name));
}

/** Where the spec has the template of the Pods of a group. */
function podTemplateOf(group: string): string {
  if (group === 'broker') return 'spec.brokers.podTemplate';
  return group === kafkaControllerGroup ? 'spec.controllers.podTemplate' : `spec.pools[${group}].podTemplate`;
}

/** Milliseconds by which the clocks of machines may differ, and to which Kubernetes rounds times. */
const clockSkew = 3_000;

/**
 * True if a node became ready after the last answer was asked for: the answer may show its replicas as they were before it
 * stopped. True if one of the times is not known.
 */
export function isBeyondAnswer(
  { readySince }: Pick<KafkaNode, 'readySince'>,
  { answeredAt }: { readonly answeredAt?: number | undefined },
): boolean {
  return readySince === undefined || answeredAt === undefined || !(readySince <= answeredAt - clockSkew);
}
