import type { NodeState } from '../../../pods/node-state.js';
import { podFailureOf } from '../../../pods/pod-failure.js';
import { homeOf, type Presence, presenceOf } from '../../../pods/presence.js';
import type { LivePersistentVolumeClaim, LivePod } from '../../../runtime/index.js';
import { type MemberReport, toldPosition, toldTimeline } from '../ports/members.js';
import type { LogPosition } from './log-position.js';

/** Annotation of a Pod: a hash of the template from which it was created. */
export const revisionAnnotation = 'reconstruct.dev/revision';
/** Annotation of a Pod: a hash of the parameters with which its PostgreSQL started. */
export const parametersAnnotation = 'reconstruct.dev/parameters';
/** Annotation of a PVC, set before the Pod of a scaled-down instance is deleted: the timeline at that moment. */
export const leavingAnnotation = 'reconstruct.dev/leaving';
/** Label of the PVC of a diverged replica. The PVC is kept, and no instance runs on it. */
export const quarantinedLabel = 'reconstruct.dev/quarantined';

/** One instance of a Database: a Pod and a PVC of the same name. */
export interface Instance {
  readonly name: string;
  /** The number at the end of its name. */
  readonly serial: number;
  readonly claim: Presence;
  readonly pod: Presence;
  /** The timeline at which the instance was scaled down. Undefined unless its PVC has the annotation. */
  readonly leavingAt?: string | undefined;
  readonly isQuarantined: boolean;
  /** Its Pod is ready, so PostgreSQL accepts connections. */
  readonly isReady: boolean;
  /** Time since which its Pod is not ready, in milliseconds since 1970. */
  readonly unreadySince?: number | undefined;
  /** Time since which its Pod is ready, in milliseconds since 1970. */
  readonly readySince?: number | undefined;
  /** Reason why its Pod is not ready, if known. */
  readonly trouble?: string | undefined;
  /** The node for which its volume was provisioned, if known. */
  readonly home?: string | undefined;
  /** That node no longer exists, according to a direct read of the API server. */
  readonly isNodeGone?: boolean | undefined;
  /** Its node is not ready. */
  readonly isNodeLost?: boolean | undefined;
  readonly revision?: string | undefined;
  readonly parameters?: string | undefined;
  readonly node?: string | undefined;
  readonly zone?: string | undefined;
  /** Its node is cordoned. */
  readonly isCordoned: boolean;
  /** Its Pod has the label of the primary. */
  readonly isLabelledPrimary: boolean;
  /** Its latest report. Undefined if it did not respond. */
  readonly report?: MemberReport | undefined;
  /** The status annotation that Patroni last wrote on its Pod. */
  readonly noted?: (Partial<LogPosition> & { readonly state?: string }) | undefined;
  /** Its last known position, which the status keeps while the instance does not report one. */
  readonly remembered?: LogPosition | undefined;
}

/** The observed objects from which instances are derived. */
export interface Seen {
  /** The name of the Database. */
  readonly database: string;
  readonly pods: readonly LivePod[];
  /** Terminating Pods. Only the annotations that Patroni wrote on them are used. @default - none */
  readonly leaving?: readonly LivePod[];
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** Empty if the operator has no permission to read Nodes. */
  readonly nodes: readonly NodeState[];
  readonly reports: Readonly<Record<string, MemberReport>>;
  /** The topology label of nodes. */
  readonly topologyKey: string;
  /** Nodes that are known not to exist. @default - none */
  readonly gone?: readonly string[];
  /** Last known positions of instances that do not report one. @default - none */
  readonly remembered?: Readonly<Record<string, LogPosition>>;
}

/** The existing instances, ordered by serial. */
export function instancesOf(seen: Seen): readonly Instance[] {
  const { database, pods, claims } = seen;
  const names = new Set([...pods, ...claims].map(({ metadata }) => metadata.name));
  return [...names]
    .flatMap((name) => {
      const serial = serialOf(name, database);
      return serial === undefined ? [] : [instanceOf({ name, serial }, seen)];
    })
    .toSorted((a, b) => a.serial - b.serial);
}

/** The number in the name of an instance. Undefined for other names, such as that of the archive. */
export function serialOf(name: string, database: string): number | undefined {
  const [, digits] = name.startsWith(`${database}-`)
    ? (/^-([1-9]\d{0,8})$/.exec(name.slice(database.length)) ?? [])
    : [];
  return digits === undefined ? undefined : Number(digits);
}

function instanceOf({ name, serial }: Pick<Instance, 'name' | 'serial'>, seen: Seen): Instance {
  const pod = seen.pods.find(({ metadata }) => metadata.name === name);
  const claim = seen.claims.find(({ metadata }) => metadata.name === name);
  const home = claim && homeOf(claim);
  return {
    ...{ name, serial, pod: presenceOf(pod), claim: presenceOf(claim) },
    leavingAt: claim?.metadata.annotations?.[leavingAnnotation],
    isQuarantined: claim?.metadata.labels?.[quarantinedLabel] !== undefined,
    ...{ home, isNodeGone: home !== undefined && seen.gone?.includes(home) },
    ...{ report: seen.reports[name], remembered: seen.remembered?.[name] },
    ...(pod ? runningOf(pod, seen) : stoppedOf(seen.leaving?.find(({ metadata }) => metadata.name === name))),
  };
}

/** A terminating Pod may be the last source of a position: the Pod of a lost node terminates for a long time. */
function stoppedOf(pod: LivePod | undefined) {
  const noted = notedIn(pod?.metadata.annotations?.['status']);
  return { ...(noted && { noted }), isReady: false, isCordoned: false, isLabelledPrimary: false };
}

function runningOf(pod: LivePod, { nodes, topologyKey }: Seen) {
  const { annotations, labels, deletionTimestamp } = pod.metadata;
  const node = nodes.find(({ name }) => name === pod.spec.nodeName);
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True' && deletionTimestamp === undefined;
  const lost = node && !node.isReady ? `its node ${node.name} is not ready` : undefined;
  const since = Date.parse(ready?.lastTransitionTime ?? pod.metadata.creationTimestamp ?? '');
  const role = labels?.['role'];
  return {
    isReady,
    ...{ [isReady ? 'readySince' : 'unreadySince']: since },
    trouble: isReady ? undefined : (lost ?? podFailureOf(pod)),
    isNodeLost: lost !== undefined,
    revision: annotations?.[revisionAnnotation],
    parameters: annotations?.[parametersAnnotation],
    node: pod.spec.nodeName,
    zone: (node ?? withoutNode(pod)).labels[topologyKey],
    isCordoned: node?.isCordoned ?? false,
    isLabelledPrimary: role === 'master' || role === 'primary',
    noted: notedIn(annotations?.['status']),
  };
}

/**
 * The topology labels of a Pod, which newer clusters copy from its node.
 * @see https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone
 */
function withoutNode({ metadata, spec }: LivePod): Pick<NodeState, 'labels'> {
  const host = spec.nodeName !== undefined && { 'kubernetes.io/hostname': spec.nodeName };
  return { labels: { ...host, ...metadata.labels } };
}

/**
 * Parses the annotation that Patroni writes. The JSON is untrusted, because any user who can edit Pods can change it.
 */
function notedIn(text: string | undefined): Instance['noted'] {
  if (text === undefined) return undefined;
  try {
    const { state, ...told } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const [timeline, position] = [toldTimeline(told['timeline']), toldPosition(told['xlog_location'])];
    return {
      ...(timeline !== undefined && { timeline }),
      ...(position !== undefined && { position }),
      ...(typeof state === 'string' && { state }),
    };
  } catch {
    return undefined;
  }
}
