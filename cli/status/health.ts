import { podFailureOf } from '../../operator/pods/pod-failure.js';
import { podState } from '../../operator/pods/pod-state.js';
import type { LivePod } from '../../operator/runtime/kubernetes/kinds.js';
import { holdOn, isDeleting, type LiveObject } from '../../operator/runtime/kubernetes/object.js';
import type { ReportedCondition } from './problems.js';

/** How far an object is. */
export interface Health {
  readonly state: 'Ready' | 'NotReady' | 'Terminating' | 'Missing';
  /** Why it is not ready, in the words of its status. */
  readonly message?: string;
}

/** The parts of objects of all kinds that show whether they are ready. */
interface Readable extends LiveObject {
  readonly spec?: { readonly replicas?: number; readonly type?: string };
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
    readonly active?: number;
    readonly loadBalancer?: { readonly ingress?: readonly object[] };
    readonly conditions?: readonly ReportedCondition[];
  };
}

const ready: Health = { state: 'Ready' };
const notReady = (message: string): Health => ({ state: 'NotReady', message });

/** Why an object is not ready yet. Undefined if it is. */
type Reading = (object: Readable) => string | undefined;

/** The kinds whose status has more than conditions. */
const readings: Readonly<Record<string, Reading>> = {
  Pod: (object) => podReading(object as LiveObject as LivePod),
  Deployment: replicasReading,
  StatefulSet: replicasReading,
  ReplicaSet: replicasReading,
  DaemonSet: ({ status: { numberReady = 0, desiredNumberScheduled: wanted = 0 } = {} }) =>
    numberReady < wanted ? `${numberReady} of ${wanted} Pods are ready` : undefined,
  Job: ({ status }) =>
    failedReading(status?.conditions, 'Failed') ??
    (isTrue(status?.conditions, 'Complete') ? undefined : `${status?.active ?? 0} Pods run`),
  PersistentVolumeClaim: ({ status }) => (status?.phase === 'Bound' ? undefined : (status?.phase ?? 'Pending')),
  Service: ({ spec, status }) =>
    spec?.type === 'LoadBalancer' && !status?.loadBalancer?.ingress?.length ? 'It has no address yet' : undefined,
  HorizontalPodAutoscaler: ({ status }) => failingReading(status?.conditions, ['AbleToScale', 'ScalingActive']),
};

/** The health of a live object. */
export function healthOf(object: LiveObject): Health {
  if (isDeleting(object)) return { state: 'Terminating', message: `Being deleted${holdOn(object)}` };
  const own = Object.hasOwn(readings, object.kind) ? readings[object.kind] : conditionsReading;
  const why = own?.(object);
  return why === undefined ? ready : notReady(why);
}

function podReading(pod: LivePod): string | undefined {
  const state = podState(pod);
  if (state === 'Ready' || state === 'Succeeded') return undefined;
  return podFailureOf(pod) ?? failingReading(pod.status?.conditions, ['Ready']) ?? state ?? 'Pending';
}

function replicasReading({ metadata, spec, status = {} }: Readable): string | undefined {
  const { readyReplicas = 0, observedGeneration, conditions } = status;
  const wanted = spec?.replicas ?? 1;
  if (observedGeneration !== metadata.generation) return 'Its controller has not observed the latest spec';
  if (readyReplicas >= wanted) return undefined;
  const cause = failedReading(conditions, 'ReplicaFailure') ?? failingReading(conditions, ['Progressing']);
  return `${readyReplicas} of ${wanted} Pods are ready${cause === undefined ? '' : `; ${cause}`}`;
}

/** Of a kind whose status is not known: what generic tools read. */
function conditionsReading({ status }: Readable): string | undefined {
  return failedReading(status?.conditions, 'Stalled') ?? failingReading(status?.conditions, ['Ready', 'Available']);
}

type Conditions = readonly ReportedCondition[] | undefined;

const isTrue = (conditions: Conditions, type: string) =>
  conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

/** The words of a condition that is True while something is wrong. */
function failedReading(conditions: Conditions, type: string): string | undefined {
  const found = conditions?.find((one) => one.type === type && one.status === 'True');
  return found && wordsOf(found);
}

/** The words of the first of the conditions that is not True. */
function failingReading(conditions: Conditions, types: readonly string[]): string | undefined {
  const found = conditions?.find(({ type, status }) => types.includes(type) && status !== 'True');
  return found && wordsOf(found);
}

function wordsOf({ type, status, reason = '', message = '' }: ReportedCondition): string {
  const words = [reason, message].filter((word) => word !== '').join(': ');
  return words === '' ? `${type} is ${status}` : words;
}
