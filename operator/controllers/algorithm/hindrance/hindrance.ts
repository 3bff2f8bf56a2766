import type { AlgorithmResource } from '../../../../imports/index.js';
import { sentence } from '../../../members/index.js';
import { conditionOf, type LiveDeployment, type Polled } from '../../../runtime/index.js';
import type { StartingPodsAnswer } from '../ports/starting-pods.js';
import { type Rollout, rolloutOf } from '../versions/rollout.js';

type Answer = Polled<StartingPodsAnswer> | undefined;

/** True if a Deployment that wants Pods has none that is available. */
export function hasNoReadyReplica({ spec, status }: LiveDeployment): boolean {
  return spec.replicas !== 0 && (status?.availableReplicas ?? 0) === 0;
}

/**
 * True if only its Pods can show the cause why a Deployment has none that is ready, or why its rollout failed. Without
 * Pods of its current spec there is nothing to ask, and a Deployment whose Pods cannot be created reports the cause.
 */
export function isStuck(deployment: LiveDeployment): boolean {
  const { metadata, status } = deployment;
  if (!status?.replicas || status.observedGeneration !== metadata.generation) return false;
  const { reason } = rolloutOf(deployment);
  return reason === 'RolloutFailed' || (reason !== 'FailedCreate' && hasNoReadyReplica(deployment));
}

/** The cause in an answer. The last known one is kept while the source does not answer. Undefined if there was none. */
export function hindranceIn(answer: Answer): string | undefined {
  const last = answer?.known ? answer : answer?.earlier.at(-1);
  return last?.value.why;
}

/** The cause why Pods of a Deployment are not ready. Empty if they are, or if none is known. */
export function hindranceOf(
  { resource, polled }: { readonly resource: AlgorithmResource; readonly polled: { readonly startingPods: Answer } },
  deployment: LiveDeployment | undefined,
): string {
  if (!deployment || !isStuck(deployment)) return '';
  return hindranceIn(polled.startingPods) ?? reportedHindrance(resource);
}

const noneReady = ', so no replica is ready';

/** The message of an Algorithm without a ready replica. */
export function noneReadyMessage(hindrance: string): string {
  return sentence(`${hindrance}${noneReady}`);
}

/** A rollout with the cause of its delay or failure. If Pods cannot be created, its message has the cause already. */
export function explainedRollout(rollout: Rollout, hindrance: string): Rollout {
  const { reason, message = '' } = rollout;
  return hindrance === '' ? rollout : { reason, message: sentence(`${hindrance}: ${message}`) };
}

/** The cause in the status. A restarted operator keeps it until it has an answer itself. */
function reportedHindrance(resource: AlgorithmResource): string {
  const { message = '', observedGeneration } = conditionOf(resource, 'Available') ?? {};
  const isCurrent = observedGeneration === resource.metadata.generation && message.endsWith(noneReady);
  return isCurrent ? message.slice(0, -noneReady.length) : '';
}
