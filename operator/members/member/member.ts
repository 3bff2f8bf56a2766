import type { NodeState } from '../../pods/node-state.js';
import { podFailureOf } from '../../pods/pod-failure.js';
import { homeOf, type Presence, presenceOf } from '../../pods/presence.js';
import { conditionOf, type LivePersistentVolumeClaim, type LivePod } from '../../runtime/index.js';

/** Annotation of a Pod: a hash of the template from which it was created. */
export const revisionAnnotation = 'reconstruct.dev/revision';

/**
 * One member of a stateful kind: a Pod and its PVCs. A kind extends it by what its members report. A field that is not
 * known is undefined, which never counts as proof.
 */
export interface Member {
  /** The name of the Pod and of the first PVC. */
  readonly name: string;
  readonly pod: Presence;
  /** `ending` if one of its PVCs is terminating, otherwise the presence of the first one. */
  readonly claim: Presence;
  /** A PVC that the spec adds to the member and that does not exist yet. */
  readonly missingClaim?: string | undefined;
  /** Its Pod is ready, and not terminating. */
  readonly isReady: boolean;
  /** Time since which its Pod is ready, in milliseconds since 1970. */
  readonly readySince?: number | undefined;
  /** Time since which its Pod is not ready, in milliseconds since 1970. */
  readonly unreadySince?: number | undefined;
  /** Reason why its Pod is not ready, as the part of a sentence. */
  readonly trouble?: string | undefined;
  /** The hash of the template from which its Pod was created. */
  readonly revision?: string | undefined;
  /** The node that runs its Pod. */
  readonly node?: string | undefined;
  /** The value of the topology label of that node. */
  readonly zone?: string | undefined;
  /** Its node is cordoned. */
  readonly isCordoned?: boolean | undefined;
  /** Its node is not ready. */
  readonly isNodeLost?: boolean | undefined;
  /** The node for which its volume was provisioned. */
  readonly home?: string | undefined;
  /** The node of its volume does not exist, according to a read of the API server, and no other node runs its Pod. */
  readonly isNodeGone?: boolean | undefined;
}

/** The live objects from which members are read. */
export interface MemberObjects {
  readonly pods: readonly LivePod[];
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** Empty if the operator has no permission to read Nodes. */
  readonly nodes: readonly NodeState[];
  /** Nodes that do not exist, according to a read of the API server. @default - none */
  readonly gone?: readonly string[];
  /** The topology label of nodes. */
  readonly topologyKey: string;
}

/** The objects of one member, as a kind reads them to add its own fields. */
export interface ObjectsOfMember {
  readonly member: Member;
  readonly pod: LivePod | undefined;
  /** The PVC with the name of the member. */
  readonly claim: LivePersistentVolumeClaim | undefined;
  /** That PVC and the PVCs of its additional volumes. */
  readonly claims: readonly LivePersistentVolumeClaim[];
}

/** How a kind names its members and their objects. */
export interface MemberNames {
  /** The member of a PVC that has another name than its member. @default - none has */
  readonly memberOf?: (claim: LivePersistentVolumeClaim) => string | undefined;
  /** Names of the additional PVCs that the spec gives a member. @default - none */
  readonly additionalClaims?: (member: string) => readonly string[];
  /** The field of the spec with the template of the Pods of a member, for messages. @default 'spec.podTemplate' */
  readonly podTemplate?: (member: string) => string;
}

/**
 * Reads the members from live objects. A member exists as long as one of its objects does: a PVC without a Pod has data.
 * @param read adds the fields of the kind. Undefined for a name that is no member
 */
export function membersFrom<M>(
  objects: MemberObjects,
  names: MemberNames,
  read: (found: ObjectsOfMember) => M | undefined,
): readonly M[] {
  const { pods, claims } = objects;
  // A PVC of an additional volume alone keeps its member: another one with its name would take the data up.
  const owners = claims.map((claim) => names.memberOf?.(claim) ?? claim.metadata.name);
  const all = new Set([...pods.map(({ metadata }) => metadata.name), ...owners]);
  return [...all].flatMap((name) => read(objectsOf(name, objects, names)) ?? []);
}

function objectsOf(name: string, objects: MemberObjects, names: MemberNames): ObjectsOfMember {
  const pod = objects.pods.find(({ metadata }) => metadata.name === name);
  const claim = objects.claims.find(({ metadata }) => metadata.name === name);
  const additional = names.memberOf ? objects.claims.filter((one) => names.memberOf?.(one) === name) : [];
  const claims = [...(claim ? [claim] : []), ...additional];
  const missingClaim = names
    .additionalClaims?.(name)
    .find((wanted) => !claims.some(({ metadata }) => metadata.name === wanted));
  const homes = claims.flatMap((one) => homeOf(one) ?? []);
  const member: Member = {
    ...{ name, pod: presenceOf(pod) },
    claim: claims.some((one) => presenceOf(one) === 'ending') ? 'ending' : presenceOf(claim),
    ...(missingClaim !== undefined && { missingClaim }),
    ...(homes.length > 0 && { home: homes[0], isNodeGone: isGone(homes, pod, objects) }),
    ...(pod ? podStateOf(pod, objects, names.podTemplate?.(name)) : { isReady: false }),
  };
  return { member, pod, claim, claims };
}

/** A member needs all of its volumes. A node that runs its Pod has them: the volumes may not be bound to one node. */
function isGone(homes: readonly string[], pod: LivePod | undefined, { nodes, gone = [] }: MemberObjects): boolean {
  const isRunning = nodes.some(({ name }) => name === pod?.spec.nodeName);
  return homes.some((home) => gone.includes(home)) && !isRunning;
}

function podStateOf(pod: LivePod, { nodes, topologyKey }: MemberObjects, podTemplate: string | undefined) {
  const { annotations, deletionTimestamp, creationTimestamp = '' } = pod.metadata;
  const node = nodes.find(({ name }) => name === pod.spec.nodeName);
  const ready = conditionOf(pod, 'Ready');
  const isReady = ready?.status === 'True' && deletionTimestamp === undefined;
  const since = Date.parse(ready?.lastTransitionTime ?? creationTimestamp);
  const lost = node && !node.isReady ? `its node ${node.name} is not ready` : undefined;
  // A terminating Pod ends, whatever the exit code of its containers is.
  const failure = deletionTimestamp === undefined ? podFailureOf(pod, podTemplate) : undefined;
  return {
    isReady,
    ...(Number.isFinite(since) && { [isReady ? 'readySince' : 'unreadySince']: since }),
    trouble: isReady ? undefined : (lost ?? failure),
    isNodeLost: lost !== undefined,
    revision: annotations?.[revisionAnnotation],
    node: pod.spec.nodeName,
    zone: (node?.labels ?? topologyLabelsOf(pod))[topologyKey],
    isCordoned: node?.isCordoned ?? false,
  };
}

/**
 * The topology labels of a Pod, which newer clusters copy from its node.
 * @see https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone
 */
function topologyLabelsOf({ metadata, spec }: LivePod): Readonly<Record<string, string>> {
  const host = spec.nodeName !== undefined && { 'kubernetes.io/hostname': spec.nodeName };
  return { ...host, ...metadata.labels };
}

/** The reason why a member is not ready, if known, as the end of a message. */
export function because({ trouble }: Pick<Member, 'trouble'>): string {
  return trouble === undefined ? '' : `: ${trouble}`;
}
