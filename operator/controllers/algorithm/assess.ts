import type { AlgorithmResource, AlgorithmStatus, AlgorithmStatusConditions } from '../../../imports/index.js';
import {
  type Assessment,
  type ConfigMap,
  ControllerRevision,
  Deployment,
  type Found,
  HorizontalPodAutoscaler,
  type LiveDeployment,
  type Mark,
  type Outcome,
  type PodDisruptionBudget,
  type Service,
} from '../../runtime/index.js';
import { autoscalingOf } from './autoscaling.js';
import type { conditions } from './conditions.js';
import type { RunningFacts } from './desire.js';
import { type HostReads, hostTaken } from './hosts.js';
import { rolloutOf } from './rollout.js';
import { faultReasons } from './trial/record.js';
import { versionsIn, wantedOf } from './versions.js';

type Vocabulary = typeof conditions;
type Stated = 'phase' | 'replicas' | 'readyReplicas' | 'selector';
type Kinds =
  | typeof ConfigMap
  | typeof Service
  | typeof Deployment
  | typeof PodDisruptionBudget
  | typeof HorizontalPodAutoscaler;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;

type Judged = Pick<Outcome<AlgorithmResource, Kinds>, 'accepted' | 'resource' | 'owned' | 'now'> &
  Pick<RunningFacts, 'siblings'> & { readonly reads: Found<HostReads> };

/** Assesses an Algorithm from its Deployment and its autoscaler. */
export function assess(outcome: Judged): Assessment<AlgorithmResource, Vocabulary, Stated> {
  const { accepted, resource, owned, siblings } = outcome;
  const deployment = owned.one(Deployment);
  const { lifecycle, scaling } = resource.spec;
  const Deployed = (lifecycle && comingOf(resource, siblings)) ?? rolloutOf(deployment);
  const Available = servingOf(deployment);
  const isUnmeasured = scaling?.targetLatencyMs !== undefined && !lifecycle;
  const { mark: Autoscaled, requeueAfter } = autoscalingOf(
    resource,
    scaling && owned.one(HorizontalPodAutoscaler),
    // The time is a fact of this assessment only if the autoscaler fails.
    () => outcome.now,
  );
  return {
    conditions: {
      ...{ Deployed, Available, HostAccepted: hostMark(outcome), Autoscaled },
      LatencyManaged: isUnmeasured ? { reason: 'NotMeasured' } : undefined,
    },
    status: { ...countsOf(deployment), phase: phaseOf({ accepted, resource, Deployed, Available }) },
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

/** The references are facts of this assessment only if a host is set. */
function hostMark(outcome: Judged): Reason<'HostAccepted'> | undefined {
  if (outcome.resource.spec.host === undefined) return undefined;
  const message = hostTaken(outcome.resource, outcome.reads);
  return message === undefined ? { reason: 'Accepted' } : { reason: 'HostTaken', message };
}

/** The `Deployed` condition while the version in the spec is not the stable one; undefined otherwise. */
function comingOf(resource: AlgorithmResource, siblings: RunningFacts['siblings']): Reason<'Deployed'> | undefined {
  const { metadata } = resource;
  const { stable } = versionsIn(siblings.of(ControllerRevision), metadata.name);
  if (!stable || stable.name === wantedOf(resource).name) return undefined;
  const promoted = promotionOf(resource);
  if (!promoted) return { reason: 'OnTrial' };
  return { reason: isTakenBack(promoted) ? 'RolledBack' : 'OnTrial', message: promoted.message };
}

/** True only of a rollback. A trial may also be blocked, for example by an object of another owner. */
function isTakenBack({ reason }: AlgorithmStatusConditions): boolean {
  return Object.values<string>(faultReasons).includes(reason);
}

/** The `Promoted` condition of the version in the spec; undefined until the trial controller has seen that version. */
function promotionOf(resource: AlgorithmResource): AlgorithmStatusConditions | undefined {
  const { metadata, status } = resource;
  const told = status?.conditions?.find(({ type }) => type === 'Promoted');
  if (told?.observedGeneration === metadata.generation) return told;
  // Other edits raise the generation, but the version stays the same.
  return status?.trial?.revision === wantedOf(resource).name ? told : undefined;
}

function servingOf(deployment: LiveDeployment | undefined): Reason<'Available'> {
  if (deployment?.spec.replicas === 0) return { reason: 'ScaledToZero' };
  return { reason: (deployment?.status?.availableReplicas ?? 0) > 0 ? 'Serving' : 'NoReadyReplica' };
}

interface Seen {
  readonly accepted: boolean;
  readonly resource: AlgorithmResource;
  readonly Deployed: { readonly reason: string };
  readonly Available: { readonly reason: string };
}

/** One word for users; the conditions give the details. */
function phaseOf({ accepted, resource, Deployed, Available }: Seen): AlgorithmStatus['phase'] {
  if (!accepted) return 'Rejected';
  if (Deployed.reason === 'RolloutFailed' || Deployed.reason === 'FailedCreate') return 'Degraded';
  const told = resource.spec.lifecycle && phaseOfTrial(resource, Deployed.reason);
  if (told) return told;
  if (Deployed.reason === 'RollingOut') return 'Pending';
  return Available.reason === 'Serving' ? 'Running' : 'Degraded';
}

/** The phase that follows from the trial; undefined if there is none, or if it ended with a promotion. */
function phaseOfTrial(resource: AlgorithmResource, deployed: string): AlgorithmStatus['phase'] {
  const promotion = promotionOf(resource);
  if (promotion?.reason === 'Paused' || promotion?.reason === 'Promoting') return promotion.reason;
  const isLeft = (resource.status?.trial?.replicas ?? 0) > 0 || deployed === 'RollingOut';
  if (promotion && isTakenBack(promotion)) return isLeft ? 'RollingBack' : 'RolledBack';
  if (deployed !== 'OnTrial') return undefined;
  return promotion?.status === 'False' ? 'Degraded' : 'Trial';
}

/** The replica counts for the scale subresource and the printer columns. */
function countsOf(
  deployment: LiveDeployment | undefined,
): Pick<AlgorithmStatus, 'replicas' | 'readyReplicas' | 'selector'> {
  const labels = Object.entries(deployment?.spec.selector.matchLabels ?? {});
  return {
    // Not the number of existing Pods: it changes during every rollout, and each change would cost a status write.
    replicas: deployment?.spec.replicas ?? 0,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    ...(labels.length > 0 && { selector: labels.map(([key, value]) => `${key}=${value}`).join(',') }),
  };
}
