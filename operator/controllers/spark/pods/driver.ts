import { type SparkAttemptRef, sparkContainers, sparkDriverNamed, sparkRoleLabel } from '../../../../src/index.js';
import { exitMessage } from '../../../pods/exit-message.js';
import type { NodeState } from '../../../pods/node-state.js';
import { podFailureIn } from '../../../pods/pod-failure.js';
import {
  conditionOf,
  type LiveContainer,
  type LivePod,
  type LiveTermination,
  millisecondsOf,
} from '../../../runtime/index.js';

/** A Pod with a driver. */
export interface Driver {
  readonly name: string;
  readonly uid: string;
  /** Undefined for a Pod with a name that no attempt has. */
  readonly ref: SparkAttemptRef | undefined;
  /** Whether this SparkJob owns it. One of an earlier SparkJob of the name may still run. */
  readonly isOwn: boolean;
  readonly isEnding: boolean;
  readonly node: string | undefined;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** When its container started. Undefined before. */
  readonly started: number | undefined;
  /** Whether it listens for executors, as it does from the start of the SparkContext to its stop. */
  readonly isListening: boolean;
  /** Undefined while its program may run. */
  readonly end: DriverEnd | undefined;
  /** Whether its Pod has ended too. Injected containers may run longer. */
  readonly isPodOver: boolean;
  /** Why it does not start, as a part of a sentence. */
  readonly trouble?: DriverTrouble | undefined;
}

/** How a driver has ended. */
export interface DriverEnd {
  readonly hasSucceeded: boolean;
  /** In milliseconds since 1970. Undefined if the kubelet does not say. */
  readonly at: number | undefined;
  readonly exitCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Types of Pod conditions with the status True. */
  readonly podConditions: readonly string[];
  /** Whether the Pod was evicted, or its node was lost or shut down. */
  readonly isDisrupted: boolean;
  /** Whether it ended because its Pod was deleted. */
  readonly isDeleted: boolean;
  /** Whether the program has begun. */
  readonly hasBegun: boolean;
}

/** Why a driver does not start. */
export interface DriverTrouble {
  readonly is: 'Unscheduled' | 'Image' | 'Container';
  readonly message: string;
}

interface PodStatus {
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Reasons of Pods that their node or the scheduler ended.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
 */
const disruptions: ReadonlySet<string> = new Set([
  ...['Evicted', 'NodeLost', 'NodeShutdown', 'Preempting', 'Shutdown', 'Terminated'],
]);

/** The kubelet no longer knows how the container ended: its node was restarted. */
const unknownEnd = 'ContainerStatusUnknown';

/** A SparkJob. */
interface Owner {
  readonly name: string;
  readonly uid: string;
  /** The UID of the Pod that its status names. */
  readonly driver?: string | undefined;
  readonly nodes: readonly NodeState[];
}

/** The drivers among Pods, the newest attempt first. */
export function driversAmong(pods: readonly LivePod[], job: Owner): readonly Driver[] {
  // The labels of a Pod can be changed, and its owner cannot without a trace.
  const found = pods.filter((pod) => pod.metadata.labels?.[sparkRoleLabel] === 'driver' || isOwnedBy(pod, job));
  const order = ({ ref }: Driver) => (ref ? 1e9 * ref.run + ref.attempt : 0);
  return found.map((pod) => driverOf(pod, job)).toSorted((a, b) => order(b) - order(a));
}

function driverOf(pod: LivePod, job: Owner): Driver {
  const { metadata, spec, status } = pod;
  const container = mainOf(pod);
  const created = millisecondsOf(metadata.creationTimestamp) ?? 0;
  const isAbandoned = hasNoKubelet(pod, job);
  return {
    ...{ name: metadata.name, uid: metadata.uid, ref: sparkDriverNamed(job.name, metadata.name) },
    isOwn: isOwnedBy(pod, job),
    isEnding: metadata.deletionTimestamp !== undefined,
    node: spec.nodeName,
    ...{ created, started: startOf(container, created) },
    isListening: container?.ready ?? false,
    end: endOf(pod) ?? (isAbandoned ? abandoned(pod) : undefined),
    isPodOver: isOver(status?.phase) || isAbandoned,
    trouble: troubleOf(pod),
  };
}

/** A driver that the status names is its own, also after somebody has removed the owner reference. */
function isOwnedBy({ metadata }: LivePod, { uid: owner, driver }: Owner): boolean {
  return metadata.uid === driver || (metadata.ownerReferences?.some(({ uid }) => uid === owner) ?? false);
}

/** Milliseconds by which the clock of a node may be behind. */
const clockSkew = 300_000;

/** When a container started. A container that could not be started has a time long before its Pod. */
function startOf(container: LiveContainer | undefined, created: number): number | undefined {
  const { running, terminated } = container?.state ?? {};
  const { startedAt } = (terminated ?? {}) as { readonly startedAt?: string | null };
  const time = millisecondsOf(running?.startedAt ?? startedAt);
  return time === undefined || time < created - clockSkew ? undefined : Math.max(time, created);
}

const isOver = (phase: string | undefined) => phase === 'Succeeded' || phase === 'Failed';

function mainOf({ status }: LivePod): LiveContainer | undefined {
  return status?.containerStatuses?.find(({ name }) => name === sparkContainers.driver);
}

/** The phase comes first: a Pod that its node did not admit has failed without any container. */
function endOf(pod: LivePod): DriverEnd | undefined {
  const { status } = pod;
  const terminated = mainOf(pod)?.state?.terminated;
  if (!terminated && !isOver(status?.phase)) return undefined;
  const { reason: podReason, message: podMessage } = (status ?? {}) as PodStatus;
  const podConditions = typesOfTrue(pod);
  const isUnknown = terminated?.reason === unknownEnd;
  const isDisrupted = podConditions.includes('DisruptionTarget') || disruptions.has(podReason ?? '') || isUnknown;
  const common = { podConditions, isDisrupted: isDisrupted && terminated?.exitCode !== 0 };
  const disruption = {
    reason: podReason ?? (isUnknown ? unknownEnd : 'DisruptionTarget'),
    message: podMessage ?? disruptionText(pod),
  };
  if (!terminated) {
    const unbegun = { reason: podReason, message: podMessage ?? 'The Pod has failed before its container started' };
    const hasSucceeded = status?.phase === 'Succeeded';
    // A kubelet that ends a Pod which was deleted before its container started says no more.
    const isDeleted = !hasSucceeded && podReason === undefined && pod.metadata.deletionTimestamp !== undefined;
    return {
      ...common,
      ...{ hasSucceeded, hasBegun: false, isDeleted, at: undefined },
      ...(isDisrupted ? disruption : unbegun),
    };
  }
  const { exitCode, finishedAt } = terminated;
  const created = millisecondsOf(pod.metadata.creationTimestamp) ?? 0;
  const ended = millisecondsOf(finishedAt);
  const at = ended === undefined ? undefined : Math.max(ended, created);
  const hasBegun = startOf(mainOf(pod), created) !== undefined;
  const reason = exitCode === tooManyFailures ? executorsFailed : terminated.reason;
  return {
    ...{ ...common, hasSucceeded: exitCode === 0, exitCode, hasBegun: hasBegun || exitCode === 0 },
    ...{ at, isDeleted: exitCode !== 0 && at !== undefined && at >= deletionOf(pod) },
    ...(isDisrupted ? disruption : { reason, message: wordsOf(terminated) }),
  };
}

/**
 * Whether only our finalizer keeps a Pod whose end no kubelet will report: it was deleted before it was bound to a node, or by force
 * on a node that does not answer. On another node, the kubelet ends its program and reports it.
 */
function hasNoKubelet({ metadata, spec }: LivePod, { nodes }: Owner): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  if (spec.nodeName === undefined) return true;
  const isForced = (metadata as Deleting).deletionGracePeriodSeconds === 0;
  return isForced && !nodes.some(({ name, isReady }) => name === spec.nodeName && isReady);
}

function abandoned(pod: LivePod): DriverEnd {
  const podConditions = typesOfTrue(pod);
  const isDisrupted = podConditions.includes('DisruptionTarget');
  const hasBegun = startOf(mainOf(pod), millisecondsOf(pod.metadata.creationTimestamp) ?? 0) !== undefined;
  return {
    ...{ hasSucceeded: false, at: undefined, podConditions, isDisrupted, isDeleted: true, hasBegun },
    ...(isDisrupted && { reason: 'DisruptionTarget', message: disruptionText(pod) }),
  };
}

function typesOfTrue({ status }: LivePod): readonly string[] {
  return (status?.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type);
}

/** The words of whoever disrupted a Pod, such as `EvictionByEvictionAPI: Eviction API: evicting`. */
function disruptionText(pod: LivePod): string {
  const { reason, message } = conditionOf(pod, 'DisruptionTarget') ?? {};
  const words = [reason, message].filter(Boolean).join(': ');
  return words === '' ? 'The Pod was disrupted' : words;
}

interface Deleting {
  readonly deletionGracePeriodSeconds?: number;
}

/** When somebody deleted a Pod, in milliseconds since 1970. Infinite if nobody did. */
function deletionOf({ metadata }: LivePod): number {
  const { deletionTimestamp: ends } = metadata;
  const { deletionGracePeriodSeconds: grace = 0 } = metadata as Deleting;
  return ends === undefined ? Number.POSITIVE_INFINITY : Date.parse(ends) - 1_000 * grace;
}

/** Of a program that was killed, the last output is not the cause. */
function wordsOf({ exitCode, reason, message = '' }: LiveTermination): string | undefined {
  if (reason === 'OOMKilled') return 'The memory limit of the driver was exceeded';
  if (exitCode === tooManyFailures) return 'Executors have failed more often than spark.executor.maxNumFailures allows';
  const isKilled = exitCode === 137;
  const words = exitMessage({ exitCode, output: isKilled ? '' : message }).replace(/ \(exit code \d+\)$/, '');
  return words === `exit code ${exitCode}` ? undefined : words;
}

/** The exit code of a driver whose executors fail again and again, and the reason for it. */
const tooManyFailures = 11;
export const executorsFailed = 'ExecutorsFailed';

function troubleOf(pod: LivePod): DriverTrouble | undefined {
  const failure = podFailureIn(pod, { main: sparkContainers.driver, completes: true });
  switch (failure?.cause) {
    case 'Unschedulable':
      return { is: 'Unscheduled', message: `no node can run the Pod: ${failure.message}` };
    case 'Image':
      return { is: 'Image', message: [`the image ${failure.image} cannot be pulled`, failure.message].join(': ') };
    case 'Waiting':
      return { is: 'Container', message: [failure.reason, failure.message].filter(Boolean).join(': ') };
    default:
      return undefined;
  }
}
