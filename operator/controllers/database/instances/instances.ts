import type { LiveContainer, LivePersistentVolumeClaim, LivePod, LiveTermination } from '../../../runtime/index.js';
import { type MemberReport, toldPosition, toldTimeline } from '../ports/members.js';
import type { LogPosition } from './log-position.js';
import type { NodeState } from './node-state.js';

/** Annotation of a Pod: a fingerprint of what it was made from. */
export const revisionAnnotation = 'reconstruct.dev/revision';
/** Annotation of a Pod: a fingerprint of the parameters with which its PostgreSQL started. */
export const parametersAnnotation = 'reconstruct.dev/parameters';
/** Annotation of a claim whose instance is scaled away, from before its Pod goes: the timeline of that moment. */
export const leavingAnnotation = 'reconstruct.dev/leaving';
/** Label of the claim of a replica that had diverged: it is kept, and no instance runs on it. */
export const quarantinedLabel = 'reconstruct.dev/quarantined';

/** Whether an object is there, or on its way out. */
export type Presence = 'none' | 'there' | 'ending';

/** One instance of a Database: a Pod and a claim of one name. */
export interface Instance {
  readonly name: string;
  /** The number that its name ends in. */
  readonly serial: number;
  readonly claim: Presence;
  readonly pod: Presence;
  /** Undefined unless its claim is marked so: the timeline at which it was scaled away. */
  readonly leavingAt?: string | undefined;
  readonly isQuarantined: boolean;
  /** Its Pod is ready, so its PostgreSQL answers. */
  readonly isReady: boolean;
  /** Since when its Pod is not ready, in milliseconds since 1970. */
  readonly unreadySince?: number | undefined;
  /** Since when its Pod is ready, in milliseconds since 1970. */
  readonly readySince?: number | undefined;
  /** Why its Pod does not get ready, where that is known. */
  readonly trouble?: string | undefined;
  /** The node on which its volume was made, where that is known. */
  readonly home?: string | undefined;
  /** That one does not exist any more, by a look that was not the caches'. */
  readonly isNodeGone?: boolean | undefined;
  /** Its node does not answer. */
  readonly isNodeLost?: boolean | undefined;
  readonly revision?: string | undefined;
  readonly parameters?: string | undefined;
  readonly node?: string | undefined;
  readonly zone?: string | undefined;
  /** Its node takes no new pods: somebody is about to drain it. */
  readonly isCordoned: boolean;
  /** Its Pod has the label of the primary. */
  readonly isLabelledPrimary: boolean;
  /** What it said a moment ago; undefined where it did not answer. */
  readonly report?: MemberReport | undefined;
  /** What stands on its Pod, as Patroni wrote it last. */
  readonly noted?: (Partial<LogPosition> & { readonly state?: string }) | undefined;
  /** How far it had got, as the status keeps it while it does not tell. */
  readonly remembered?: LogPosition | undefined;
}

/** What instances are told from. */
export interface Seen {
  /** The name of the Database. */
  readonly database: string;
  readonly pods: readonly LivePod[];
  /** Pods that are not wanted any more: of these, what Patroni wrote on them counts. @default - none */
  readonly leaving?: readonly LivePod[];
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** Empty where they may not be seen. */
  readonly nodes: readonly NodeState[];
  readonly reports: Readonly<Record<string, MemberReport>>;
  /** The label of nodes that says where they are. */
  readonly topologyKey: string;
  /** Nodes that are known not to exist. @default - none */
  readonly gone?: readonly string[];
  /** What the status keeps of instances that do not tell. @default - nothing */
  readonly remembered?: Readonly<Record<string, LogPosition>>;
}

/** The instances that there are, by serial. */
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

/** The number in the name of an instance; undefined of what is none, as the place of backups. */
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

/** A Pod that is told to go may be the last that tells how far its instance had got: that of a lost node stays for long. */
function stoppedOf(pod: LivePod | undefined) {
  const noted = notedIn(pod?.metadata.annotations?.['status']);
  return { ...(noted && { noted }), isReady: false, isCordoned: false, isLabelledPrimary: false };
}

/** The node that was chosen when a volume was made for its first Pod. */
export function homeOf({ metadata }: LivePersistentVolumeClaim): string | undefined {
  return metadata.annotations?.['volume.kubernetes.io/selected-node'];
}

function presenceOf(object: LivePod | LivePersistentVolumeClaim | undefined): Presence {
  if (!object) return 'none';
  return object.metadata.deletionTimestamp === undefined ? 'there' : 'ending';
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
 * Where a pod is by its own word: newer clusters copy the labels of the topology from its node.
 * @see https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone
 */
function withoutNode({ metadata, spec }: LivePod): Pick<NodeState, 'labels'> {
  const host = spec.nodeName !== undefined && { 'kubernetes.io/hostname': spec.nodeName };
  return { labels: { ...host, ...metadata.labels } };
}

/** What Patroni keeps on the Pod: JSON, which anybody who may edit Pods may have changed. */
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

/** What a container is on its way through without anything being wrong. */
const usual: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);
/** Two words by turns for the same: that there is no such image, or nobody who gives it. */
const imageless: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName']);
const advice = 'fix spec.image, or spec.imagePullSecrets if the registry requires credentials';

/**
 * Why a pod does not get ready, in words for people that stay the same while the reason does; undefined where nothing
 * tells.
 */
export function podFailureOf({ status }: LivePod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node can run the Pod: ${scheduled.message ?? scheduled.reason ?? ''}`;
  return status?.containerStatuses?.map(stuckAt).find((trouble) => trouble !== undefined);
}

function stuckAt({ name, image, state, lastState }: LiveContainer): string | undefined {
  const { waiting, terminated } = state ?? {};
  const reason = waiting?.reason ?? '';
  if (waiting && imageless.has(reason)) return `container ${name}: the image ${image} cannot be pulled; ${advice}`;
  // Between two starts it waits, ever longer: what matters is how it ended.
  const ended = terminated ?? (reason === 'CrashLoopBackOff' ? lastState?.terminated : undefined);
  if (ended) return said(name, howItEnded(ended), ended.message);
  return waiting && !usual.has(reason) ? said(name, reason || 'waiting', waiting.message) : undefined;
}

/** Patroni ends with 0 whatever came to pass: beside a reason that would say that all is well. */
function howItEnded({ exitCode, message }: LiveTermination): string {
  return exitCode === 0 && message?.trim() ? '' : `exited with code ${exitCode}`;
}

function said(container: string, what: string, message = ''): string {
  const parts = [what, message.trim()].filter((part) => part !== '');
  return `container ${container}: ${parts.join(', ')}`;
}
