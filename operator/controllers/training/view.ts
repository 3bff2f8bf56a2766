import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingRevision, trainingWorkerNamed } from '../../../src/index.js';
import { podFailureOf } from '../../pods/pod-failure.js';
import { type Answers, type Facts, type LivePod, Pod, pollFailureOf } from '../../runtime/index.js';
import type { polls, StableView } from './declarations.js';
import type { Memory, Situation, Worker } from './plan/index.js';

/** The input of `desire` and `assess`. */
export interface TrainingView extends StableView, Pick<Facts<TrainingJobResource>, 'now'> {
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** Annotation of a Pod: a hash of the content from which it was created. */
export const revisionAnnotation = 'reconstruct.dev/revision';
/** Annotation of a Pod: the number of times that all Pods of the job were replaced before it. */
export const incarnationAnnotation = 'reconstruct.dev/incarnation';

/** The observed and desired state of a TrainingJob. */
export function situationOf(view: TrainingView): Situation {
  const { resource, polled, now } = view;
  const { metadata, spec } = resource;
  const { name, namespace = '', uid } = metadata;
  const room = polled.capacity;
  return {
    ...{ name, namespace, spec, now: now.getTime() },
    revision: trainingRevision({ name, namespace, uid, spec }),
    workers: workersOf(view),
    memory: memoryOf(resource),
    report: polled.coordinator?.known ? polled.coordinator.value : undefined,
    room: room?.known ? room.value : undefined,
    roomUnknownSince: room && !room.known && pollFailureOf(room) !== undefined ? room.since : undefined,
  };
}

function workersOf({ resource, owned, leaving, reads: { nodes } }: StableView): readonly Worker[] {
  const { name } = resource.metadata;
  return [...owned.of(Pod), ...(leaving?.of(Pod) ?? [])]
    .flatMap((pod) => {
      const ref = trainingWorkerNamed(name, pod.metadata.name);
      return ref ? [{ ...ref, ...stateOf(pod, nodes) }] : [];
    })
    .toSorted((a, b) => a.index - b.index || a.attempt - b.attempt);
}

function stateOf(pod: LivePod, nodes: StableView['reads']['nodes']): Omit<Worker, 'index' | 'attempt'> {
  const { metadata, spec, status } = pod;
  const node = nodes.find((one) => one.name === spec?.nodeName);
  const trouble = podFailureOf(pod);
  return {
    ...{ name: metadata.name, uid: metadata.uid, isEnding: metadata.deletionTimestamp !== undefined },
    created: metadata.creationTimestamp ?? '',
    phase: phaseOf(status?.phase),
    isGated: (spec?.schedulingGates ?? []).length > 0,
    node: spec?.nodeName,
    isNodeLost: node !== undefined && !node.isReady,
    revision: metadata.annotations?.[revisionAnnotation],
    incarnation: Number(metadata.annotations?.[incarnationAnnotation] ?? 0),
    trouble,
  };
}

function phaseOf(phase: string | undefined): Worker['phase'] {
  return phase === 'Running' || phase === 'Succeeded' || phase === 'Failed' ? phase : 'Pending';
}

const milliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

function memoryOf({ status = {} as never }: TrainingJobResource): Memory {
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
    faults: status.faults ?? [],
    openedTime: milliseconds(status.openedTime),
    stoppingTime: milliseconds(status.stoppingTime),
    startTime: milliseconds(status.startTime),
    // The conditions keep the reason of a failure.
    end:
      ended === undefined
        ? undefined
        : { time: ended, reason: phase === 'Succeeded' ? 'Succeeded' : 'RestartsExhausted' },
  };
}
