import type { AlgorithmResource } from '../../../../imports/index.js';
import type { Facts, LiveDeployment, LiveObject, Owned, Polled } from '../../../runtime/index.js';
import type { StartingPodsAnswer } from '../ports/starting-pods.js';
import type { PolledMetrics } from '../request-metrics/polled-metrics.js';
import { rolloutOf } from '../versions/rollout.js';
import { revisionAnnotation } from '../versions/versions.js';
import type { owns, TrialReads, watchesSiblings } from './declarations.js';

/** What is observed of an Algorithm with a lifecycle, without time and polled data. */
export interface StableView extends Pick<Facts<AlgorithmResource>, 'resource' | 'isServed'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of' | 'one'>;
  readonly siblings: Pick<Owned<(typeof watchesSiblings)[number]>, 'one'>;
  readonly reads: TrialReads;
}

/** The input of `desire` and `assess`. */
export interface TrialView extends StableView, Pick<Facts, 'now'> {
  readonly polled: { readonly numbers: PolledMetrics; readonly startingPods: Polled<StartingPodsAnswer> | undefined };
}

/** The Deployment of one side, as a trial sees it. */
export interface Side {
  /** The desired ControllerRevision of its Pods. */
  readonly revision: string | undefined;
  /** Desired number of replicas. */
  readonly replicas: number;
  readonly available: number;
  /** True if every Pod has the current template. */
  readonly isPure: boolean;
  /** True if every desired replica has the current template and is available. */
  readonly isDone: boolean;
  /** The cause of a failed rollout; undefined if it did not fail. */
  readonly failure: string | undefined;
  /** The progress of its rollout. */
  readonly progress: string;
}

export function sideOf(deployment: LiveDeployment | undefined): Side | undefined {
  if (!deployment) return undefined;
  const { metadata, spec, status = {} } = deployment;
  const isSeen = status.observedGeneration === metadata.generation;
  const { reason, message = '' } = rolloutOf(deployment);
  return {
    revision: metadata.annotations?.[revisionAnnotation],
    replicas: spec.replicas ?? 1,
    available: status.availableReplicas ?? 0,
    isPure: isSeen && (status.replicas ?? 0) === (status.updatedReplicas ?? 0),
    isDone: reason === 'RolledOut',
    failure: reason === 'RolloutFailed' || reason === 'FailedCreate' ? message : undefined,
    progress: message,
  };
}

/** True if all Pods of a side run a version. */
export function isOf(side: Side | undefined, revision: string): side is Side {
  return side !== undefined && side.revision === revision && side.isPure;
}

/** True if no Pod of a side is missing. */
export function isUp({ available, replicas }: Side): boolean {
  return available >= replicas;
}

/** The progress of the Pods of a side, and the cause of a delay. @param hindrance empty if no cause is known */
export function readinessOf({ failure, progress }: Side, hindrance: string): string {
  return [failure ?? progress, ...(hindrance === '' ? [] : [hindrance])].join(': ');
}

/** True if a Service selects the Pods with these labels. */
export function leadsTo(service: LiveObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  const { selector = {} } = (service as { spec?: { selector?: Record<string, string> } } | undefined)?.spec ?? {};
  return Object.entries(labels).every(([key, value]) => selector[key] === value);
}
