import { adviceIn, conditionOf, type LiveDeployment, type Mark } from '../../../runtime/index.js';

/** The progress of a rollout, with the reason that a condition has for it. */
export type Rollout = Mark<'RolledOut' | 'RollingOut' | 'RolloutFailed' | 'FailedCreate'>;

/** The progress of a Deployment's rollout. A status of an older generation is ignored. */
export function rolloutOf(deployment: LiveDeployment | undefined): Rollout {
  if (!deployment) return { reason: 'RollingOut', message: 'The Deployment does not exist yet' };
  const { metadata, spec, status = {} } = deployment;
  const wanted = spec.replicas ?? 1;
  const isCurrent = status.observedGeneration === metadata.generation;
  const { updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
  const ready = isCurrent ? Math.min(updatedReplicas, availableReplicas) : 0;

  const failed = isCurrent ? failureOf(deployment) : undefined;
  if (failed) return failed;
  const isDone = isCurrent && updatedReplicas >= wanted && replicas <= updatedReplicas && availableReplicas >= wanted;
  if (isDone) return { reason: 'RolledOut', message: `${wanted} of ${wanted} replicas run the current spec` };
  return { reason: 'RollingOut', message: `${ready} of ${wanted} replicas of the current spec are ready` };
}

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment */
function failureOf(deployment: LiveDeployment): Rollout | undefined {
  const refused = conditionOf(deployment, 'ReplicaFailure');
  if (refused?.status === 'True')
    return { reason: 'FailedCreate', message: advised(`Pods cannot be created: ${refused.message ?? ''}`) };
  const progressing = conditionOf(deployment, 'Progressing');
  if (progressing?.status !== 'False' || progressing.reason !== 'ProgressDeadlineExceeded') return undefined;
  return {
    reason: 'RolloutFailed',
    message: 'The new replicas did not become ready in time; check the Pods, then fix or revert the spec',
  };
}

/** The message with what a person can do about it, if the cluster refused a Pod by a known rule. */
function advised(message: string): string {
  const advice = adviceIn(message);
  return advice === undefined ? message : `${message}: ${advice}`;
}
