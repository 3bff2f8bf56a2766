import { isDeepStrictEqual } from 'node:util';
import type { LiveCondition } from '../../runtime/kubernetes/kinds.js';
import { isDeleting, type LiveMeta, type LiveObject } from '../../runtime/kubernetes/object.js';
import { timestampOf } from '../../runtime/kubernetes/timestamp.js';
import {
  behaviorOf,
  type ContainerStatus,
  containerStatusOf,
  initializingStatusOf,
  type SimulatedContainer,
  slowness,
  stoppedStatusOf,
} from './container-status.js';
import { conditionsOf } from './pod-conditions.js';

/** The parts of a live Pod that its kubelet reads and writes. */
export interface SimulatedPod extends LiveObject {
  readonly metadata: LiveMeta & { readonly deletionGracePeriodSeconds?: number };
  readonly spec: {
    readonly nodeName?: string;
    readonly restartPolicy?: string;
    readonly containers: readonly SimulatedContainer[];
    readonly initContainers?: readonly SimulatedContainer[];
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  readonly status?: PodStatus;
}

/** The status of a Pod. Fields of others in it stay as they are. */
export interface PodStatus {
  readonly phase?: string;
  readonly startTime?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly conditions?: readonly LiveCondition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

/** The addresses and the time of a step. */
export interface PodSurroundings {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Address of the Pod's node. */
  readonly hostIP: string;
  /** A free address, for a Pod that has none. */
  readonly podIP: string;
}

/** The next step of a kubelet for a Pod. */
export interface PodStep {
  /** @default - nothing */
  readonly act?: { readonly report: PodStatus } | 'delete';
  /** Milliseconds until the Pod changes by itself. @default - it does not */
  readonly recheckAfter?: number;
}

/**
 * The next step for a Pod of a simulated node. It depends only on the Pod and the time. A status that the Pod has
 * already is not reported again.
 */
export function podStepOf(pod: SimulatedPod, surroundings: PodSurroundings): PodStep {
  if (isDeleting(pod)) return terminationOf(pod, surroundings.now);
  if (isTerminal(pod)) return {};
  const { now } = surroundings;
  const startTime = pod.status?.startTime ?? timestampOf(now);
  const age = Math.max(0, now - Date.parse(startTime));
  return {
    ...reporting(pod, { startTime, ...addressesOf(pod, surroundings), ...progressOf(pod, { startTime, age, now }) }),
    ...(isSlow(pod) && age < slowness && { recheckAfter: slowness - age }),
  };
}

function isTerminal({ status }: SimulatedPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isSlow({ spec: { initContainers = [], containers } }: SimulatedPod): boolean {
  return [...initContainers, ...containers].some(({ image }) => behaviorOf(image) === 'slow');
}

/** A Pod with finalizers becomes terminal first, because the owner of a finalizer, such as a Job, waits for that. */
function terminationOf(pod: SimulatedPod, now: number): PodStep {
  const { deletionGracePeriodSeconds, finalizers = [] } = pod.metadata;
  if (deletionGracePeriodSeconds === 0) return {}; // only its finalizers remain
  if (finalizers.length === 0 || isTerminal(pod)) return { act: 'delete' };
  const containerStatuses = pod.spec.containers.map((container) => stoppedStatusOf(container, timestampOf(now)));
  return reporting(pod, stateOf(pod, { phase: 'Failed', isInitialized: true, containerStatuses, now }));
}

function reporting({ status }: SimulatedPod, changed: PodStatus): Pick<PodStep, 'act'> {
  const report = { ...status, ...changed };
  return isDeepStrictEqual(status, report) ? {} : { act: { report } };
}

function addressesOf({ status }: SimulatedPod, { hostIP, podIP: free }: PodSurroundings): PodStatus {
  const podIP = status?.podIP ?? free;
  return { hostIP, hostIPs: [{ ip: hostIP }], podIP, podIPs: [{ ip: podIP }] };
}

interface Started {
  readonly startTime: string;
  /** Milliseconds since the start. */
  readonly age: number;
  readonly now: number;
}

function progressOf(pod: SimulatedPod, { now, ...started }: Started): PodStatus {
  const { initContainers = [], containers, restartPolicy } = pod.spec;
  const run = (container: SimulatedContainer, isServer: boolean) =>
    containerStatusOf({ container, isServer, restarts: restartPolicy !== 'Never', ...started });
  const initContainerStatuses = initContainers.map((one) => run(one, one.restartPolicy === 'Always'));
  const isInitialized = initContainerStatuses.every(({ ready, state }) => ready || state.terminated?.exitCode === 0);
  const containerStatuses = containers.map((one) =>
    isInitialized ? run(one, restartPolicy !== 'Never' && restartPolicy !== 'OnFailure') : initializingStatusOf(one),
  );
  const phase = phaseOf(isInitialized ? containerStatuses : initContainerStatuses, isInitialized);
  return {
    ...stateOf(pod, { phase, isInitialized, containerStatuses, now }),
    ...(initContainers.length > 0 && { initContainerStatuses }),
  };
}

/** @param statuses those of the containers, or of the init containers until these are done */
function phaseOf(statuses: readonly ContainerStatus[], isInitialized: boolean): string {
  const exits = statuses.flatMap(({ state }) => state.terminated?.exitCode ?? []);
  if (!isInitialized) return exits.some((code) => code !== 0) ? 'Failed' : 'Pending';
  if (statuses.some(({ state, lastState }) => state.waiting && !lastState.terminated)) return 'Pending';
  if (exits.length < statuses.length) return 'Running';
  return exits.every((code) => code === 0) ? 'Succeeded' : 'Failed';
}

interface State {
  readonly phase: string;
  readonly isInitialized: boolean;
  readonly containerStatuses: readonly ContainerStatus[];
  readonly now: number;
}

function stateOf({ spec, status }: SimulatedPod, { now, ...state }: State): PodStatus {
  const readinessGates = (spec.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const conditions = conditionsOf(status?.conditions ?? [], { ...state, readinessGates, now: timestampOf(now) });
  const { phase, containerStatuses } = state;
  return { phase, conditions, containerStatuses };
}
