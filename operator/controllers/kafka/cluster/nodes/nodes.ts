import { additionalVolumeOf, kafkaClaimName, kafkaControllerGroup } from '../../../../../src/index.js';
import type { NodeState } from '../../../../pods/node-state.js';
import { podFailureOf } from '../../../../pods/pod-failure.js';
import { homeOf, type Presence, presenceOf } from '../../../../pods/presence.js';
import type { LivePersistentVolumeClaim, LivePod } from '../../../../runtime/index.js';
import { advertisedAnnotation } from './external-addresses.js';

/** Annotation of a Pod: a hash of the template from which it was created. */
export const revisionAnnotation = 'reconstruct.dev/revision';
/** Annotations of a Pod: a hash of the certificates that its Secrets had when it was created, and the end of that of the node. */
export const certificatesAnnotation = 'reconstruct.dev/certificates';
export const certificateEndAnnotation = 'reconstruct.dev/certificate-end';
/**
 * Label of a PVC that no node uses any more. Its value is the cause: `removed` after a scale-down, `lost` with the machine of
 * the node.
 */
export const retiredLabel = 'reconstruct.dev/retired';
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

/** One broker or controller: a Pod and a PVC of the same name. */
export interface KafkaNode {
  /** `CLUSTER-GROUP-ID`. */
  readonly name: string;
  /** `node.id` of Kafka. */
  readonly id: number;
  readonly group: string;
  readonly role: NodeGroup['role'];
  /** A broker that is a controller too. */
  readonly isCombined?: boolean | undefined;
  readonly pod: Presence;
  /** Its PVCs: `ending` if one of them is, otherwise that of its first volume. */
  readonly claim: Presence;
  /** Name of a PVC of an additional volume that the spec has and that does not exist yet. */
  readonly missingClaim?: string | undefined;
  /** No node runs on its PVC any more. */
  readonly retired?: 'removed' | 'lost' | undefined;
  readonly isReady: boolean;
  /** A person wants that it has no replicas. */
  readonly isDrained?: boolean;
  /** Time since which its Pod is ready, in milliseconds since 1970. */
  readonly readySince?: number | undefined;
  /** Time since which its Pod is not ready, in milliseconds since 1970. */
  readonly unreadySince?: number | undefined;
  /** Reason why its Pod is not ready, if known. */
  readonly trouble?: string | undefined;
  readonly revision?: string | undefined;
  /** A hash of the certificates with which its Pod was created. */
  readonly certificates?: string | undefined;
  /** The end of that of the node, in milliseconds since 1970. */
  readonly certificateEnd?: number | undefined;
  /** The addresses for clients in other networks with which its Pod was created, as text. */
  readonly advertised?: string | undefined;
  /** Those that it should advertise. Undefined while one is not assigned. */
  readonly reachable?: string | undefined;
  /** Why one is not assigned. */
  readonly awaits?: string | undefined;
  readonly node?: string | undefined;
  readonly zone?: string | undefined;
  /** Its node is not ready. */
  readonly isNodeLost?: boolean | undefined;
  /** The node of its volume no longer exists, according to a direct read of the API server. */
  readonly isNodeGone?: boolean | undefined;
}

/** The observed objects from which nodes are derived. */
export interface Seen {
  /** The name of the KafkaCluster. */
  readonly cluster: string;
  /** In the order in which ids are given. */
  readonly groups: readonly NodeGroup[];
  readonly pods: readonly LivePod[];
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** Empty if the operator has no permission to read Nodes. */
  readonly nodes: readonly NodeState[];
  /** Nodes that are known not to exist. */
  readonly gone: readonly string[];
  /** The topology label of nodes. */
  readonly topologyKey: string;
}

/** The existing nodes, ordered by id. */
export function nodesOf(seen: Seen): readonly KafkaNode[] {
  // A broker with the ID of a volume that is left would take up its records.
  const owners = seen.claims.flatMap((claim) => ownerOf(claim) ?? []);
  const names = new Set([...[...seen.pods, ...seen.claims].map(({ metadata }) => metadata.name), ...owners]);
  return [...names].flatMap((name) => nodeOf(name, seen)).toSorted((a, b) => a.id - b.id);
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

function nodeOf(name: string, seen: Seen): readonly KafkaNode[] {
  const identity = identityOf(name, seen);
  if (!identity) return [];
  const pod = seen.pods.find(({ metadata }) => metadata.name === name);
  const claim = seen.claims.find(({ metadata }) => metadata.name === name);
  const all = [...(claim ? [claim] : []), ...seen.claims.filter((one) => ownerOf(one) === name)];
  const homes = all.flatMap((one) => homeOf(one) ?? []);
  const retired = claim?.metadata.labels?.[retiredLabel];
  const missingClaim = additionalClaimsOf(name, identity.group, seen).find(
    (wanted) => !all.some(({ metadata }) => metadata.name === wanted),
  );
  return [
    {
      ...{ name, ...identity, pod: presenceOf(pod) },
      claim: all.some((one) => presenceOf(one) === 'ending') ? 'ending' : presenceOf(claim),
      ...(retired !== undefined && { retired: retired === 'lost' ? ('lost' as const) : ('removed' as const) }),
      ...(missingClaim !== undefined && { missingClaim }),
      // A broker needs all of its volumes. A machine that runs its Pod has them: other machines can use them too.
      ...(homes.length > 0 && { isNodeGone: homes.some((home) => seen.gone.includes(home)) && !hasMachine(pod, seen) }),
      ...(pod ? runningOf(pod, identity.group, seen) : { isReady: false }),
    },
  ];
}

function hasMachine(pod: LivePod | undefined, { nodes }: Seen): boolean {
  return nodes.some(({ name }) => name === pod?.spec.nodeName);
}

/** Names of the PVCs of the additional volumes that the spec has. */
function additionalClaimsOf(node: string, group: string, { groups }: Seen): readonly string[] {
  const { storage } = groups.find(({ name }) => name === group) ?? {};
  return (storage?.additionalVolumes ?? []).map(({ name }) => kafkaClaimName(node, name));
}

/** The node of the PVC of an additional volume. */
function ownerOf({ metadata }: LivePersistentVolumeClaim): string | undefined {
  return additionalVolumeOf(metadata.name)?.node;
}

/** Where the spec has the template of the Pods of a group. */
function podTemplateOf(group: string): string {
  if (group === 'broker') return 'spec.brokers.podTemplate';
  return group === kafkaControllerGroup ? 'spec.controllers.podTemplate' : `spec.pools[${group}].podTemplate`;
}

function runningOf(pod: LivePod, group: string, { nodes, topologyKey }: Seen) {
  const { annotations, deletionTimestamp, creationTimestamp = '' } = pod.metadata;
  const node = nodes.find(({ name }) => name === pod.spec.nodeName);
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True' && deletionTimestamp === undefined;
  const end = annotations?.[certificateEndAnnotation];
  const since = Date.parse(ready?.lastTransitionTime ?? creationTimestamp);
  const lost = node && !node.isReady ? `its node ${node.name} is not ready` : undefined;
  // A Pod that was deleted ends, whatever the exit code of its containers is.
  const failure = deletionTimestamp === undefined ? podFailureOf(pod, podTemplateOf(group)) : undefined;
  return {
    isReady,
    ...(Number.isFinite(since) && { [isReady ? 'readySince' : 'unreadySince']: since }),
    trouble: isReady ? undefined : (lost ?? failure),
    isNodeLost: lost !== undefined,
    revision: annotations?.[revisionAnnotation],
    certificates: annotations?.[certificatesAnnotation],
    ...(end !== undefined && { certificateEnd: Date.parse(end) }),
    advertised: annotations?.[advertisedAnnotation],
    node: pod.spec.nodeName,
    zone: node?.labels[topologyKey] ?? pod.metadata.labels?.[topologyKey],
  };
}
