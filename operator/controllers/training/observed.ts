import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingContainer, trainingWorkerNamed } from '../../../src/index.js';
import { type LivePod, Pod } from '../../runtime/index.js';
import type { StableView } from './declarations.js';
import type { Memory, Worker } from './plan/index.js';
import { workerTroubleOf } from './worker-trouble.js';

/** Annotation of a Pod: a hash of the content from which it was created. */
export const revisionAnnotation = 'reconstruct.dev/revision';
/** Annotation of a Pod: the number of times that all Pods of the job were replaced before it. */
export const incarnationAnnotation = 'reconstruct.dev/incarnation';

/** Annotation of a Pod: the machines that must not run it, separated by commas. */
export const avoidAnnotation = 'reconstruct.dev/avoided-nodes';

/** The Pods of the workers, in the order of their places. */
export function workersOf({ resource, owned, leaving, reads: { nodes } }: StableView): readonly Worker[] {
  const { name } = resource.metadata;
  return [...owned.of(Pod), ...(leaving?.of(Pod) ?? [])]
    .flatMap((pod) => {
      const ref = trainingWorkerNamed(name, pod.metadata.name);
      return ref ? [{ ...ref, ...stateOf(pod, nodes), ...domainOf(pod, resource.spec) }] : [];
    })
    .toSorted((a, b) => a.index - b.index || a.attempt - b.attempt);
}

function stateOf(pod: LivePod, nodes: StableView['reads']['nodes']): Omit<Worker, 'index' | 'attempt'> {
  const { metadata, spec } = pod;
  const node = nodes.find((one) => one.name === spec?.nodeName);
  const { message: trouble, lacks } = workerTroubleOf(pod) ?? {};
  return {
    ...{ name: metadata.name, uid: metadata.uid, isEnding: metadata.deletionTimestamp !== undefined },
    created: metadata.creationTimestamp ?? '',
    ...timesOf(pod),
    ...phaseOf(pod),
    isGated: (spec?.schedulingGates ?? []).length > 0,
    node: spec?.nodeName,
    isNodeLost: node !== undefined && !node.isReady,
    isEvicted: isEvicted(pod),
    revision: metadata.annotations?.[revisionAnnotation],
    priority: (spec as WithPriority | undefined)?.priority,
    incarnation: Number(metadata.annotations?.[incarnationAnnotation] ?? 0),
    ...avoidedBy(pod),
    ...{ trouble, lacks },
  };
}

/** Reasons for which a Pod is deleted that are neither its own nor those of its node. The others are those of the kubelet. */
const disruptions: ReadonlySet<string> = new Set(['EvictionByEvictionAPI', 'PreemptionByScheduler']);

function isEvicted({ status }: LivePod): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: is, reason = '' }) => type === 'DisruptionTarget' && is === 'True' && disruptions.has(reason),
    ) ?? false
  );
}

function avoidedBy({ metadata }: LivePod): Pick<Worker, 'avoid'> {
  const names = metadata.annotations?.[avoidAnnotation];
  return names === undefined ? {} : { avoid: names.split(',') };
}

interface Selecting {
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

/** Its gate is opened together with the choice of its domain. */
function domainOf({ spec: pod }: LivePod, { topology }: TrainingJobResource['spec']): Pick<Worker, 'domain'> {
  return topology?.policy === 'Required'
    ? { domain: (pod as Selecting | undefined)?.nodeSelector?.[topology.key] }
    : {};
}

interface WithPriority {
  /** Admission sets it by the PriorityClass. */
  readonly priority?: number;
}

/** When the container of the program started and ended. */
function timesOf({ status }: LivePod): Pick<Worker, 'started' | 'ended'> {
  const { running, terminated } = programOf(status);
  return { started: running?.startedAt, ended: terminated?.finishedAt };
}

const programOf = (status: LivePod['status']) =>
  status?.containerStatuses?.find(({ name }) => name === trainingContainer)?.state ?? {};

/** The end of the program is that of the Pod, which other containers, such as that of a service mesh, can keep running. */
function phaseOf({ status }: LivePod): Pick<Worker, 'phase' | 'isHeld'> {
  const { phase } = status ?? {};
  const { terminated } = programOf(status);
  if (phase === 'Running' && terminated)
    return { phase: terminated.exitCode === 0 ? 'Succeeded' : 'Failed', isHeld: true };
  return { phase: phase === 'Running' || phase === 'Succeeded' || phase === 'Failed' ? phase : 'Pending' };
}

const milliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

/** What the status keeps. */
export function memoryOf({ status = {} as never }: TrainingJobResource): Memory {
  const { restarts, completionTime, phase } = status;
  const ended = milliseconds(completionTime);
  return {
    generation: status.rendezvous ?? 0,
    generationTime: milliseconds(status.rendezvousTime),
    members: (status.ranks ?? []).map(({ pod, uid, node }) => ({ worker: pod, uid, node })),
    slowSince: Object.fromEntries(
      (status.ranks ?? []).flatMap((one) => (one.slowSince === undefined ? [] : [[one.uid, one.slowSince]])),
    ),
    incarnation: status.incarnation ?? 0,
    ...{ partial: restarts?.partial ?? 0, full: restarts?.full ?? 0, total: restarts?.total ?? 0 },
    windowStart: milliseconds(restarts?.windowStart),
    ...{ spikes: restarts?.spikes ?? 0, backoffUntil: milliseconds(restarts?.backoffUntil) },
    faults: status.faults ?? [],
    counts: Object.fromEntries((status.faultCounts ?? []).map(({ kind, count }) => [kind, count])),
    openedTime: milliseconds(status.openedTime),
    stoppingTime: milliseconds(status.stoppingTime),
    startTime: milliseconds(status.startTime),
    displacedBy: status.displacedBy,
    displacedGeneration: status.displacedRendezvous,
    // The conditions keep the reason of a failure.
    end:
      ended === undefined
        ? undefined
        : { time: ended, reason: phase === 'Succeeded' ? 'Succeeded' : 'RestartsExhausted' },
  };
}
