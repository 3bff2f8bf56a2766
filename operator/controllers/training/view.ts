import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingContainer, trainingWorkerNamed } from '../../../src/index.js';
import type { DrawAnswer } from '../../passwords/draw.js';
import { type Facts, type LivePod, type Outcome, type Owned, Pod, type Polled } from '../../runtime/index.js';
import type { owns, TrainingReads } from './declarations.js';
import type { CapacityAnswer } from './ports/capacity.js';
import type { CoordinatorAnswer } from './ports/coordinator.js';
import type { LogAnswer } from './ports/logs.js';
import type { Worker } from './workers/worker.js';
import { workerTroubleOf } from './workers/worker-trouble.js';

/** The part of the input that does not change with time. */
export interface StableView extends Pick<Facts<TrainingJobResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  /** Terminating Pods. In `desire`, `owned` contains them too. @default - none */
  readonly leaving?: Pick<Owned<typeof Pod>, 'of'>;
  readonly reads: TrainingReads;
}

/** The input of `desire` and `assess`. */
export interface TrainingView extends StableView, Pick<Facts<TrainingJobResource>, 'now'> {
  /** Undefined for a source that is not asked. */
  readonly polled: {
    readonly drawn: Polled<DrawAnswer> | undefined;
    readonly coordinator: Polled<CoordinatorAnswer> | undefined;
    readonly capacity: Polled<CapacityAnswer> | undefined;
    readonly logs: Polled<LogAnswer> | undefined;
  };
}

/** What the status of a TrainingJob follows from. */
export type TrainingOutcome = TrainingView & Pick<Outcome, 'calls' | 'accepted' | 'pruning' | 'blocker'>;

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

/**
 * The end of the program is that of the Pod. Other containers, such as that of a service mesh, can keep it running, and the
 * kubelet calls it running until it has reported the end of all.
 */
function phaseOf({ status }: LivePod): Pick<Worker, 'phase' | 'isHeld'> {
  const { phase } = status ?? {};
  const { terminated } = programOf(status);
  if (phase === 'Running' && terminated) {
    const isHeld = status?.containerStatuses?.some(({ state }) => !state?.terminated);
    return { phase: terminated.exitCode === 0 ? 'Succeeded' : 'Failed', ...(isHeld && { isHeld }) };
  }
  return { phase: phase === 'Running' || phase === 'Succeeded' || phase === 'Failed' ? phase : 'Pending' };
}
