import type { AlgorithmResource, AlgorithmStatus } from '../../../imports/index.js';
import { scaleSelector } from '../../members/index.js';
import { type Assessment, Deployment, HorizontalPodAutoscaler, type LiveDeployment } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { autoscaledOf } from './findings/autoscaled.js';
import { availableOf } from './findings/available.js';
import { deployedOf } from './findings/deployed.js';
import { hostAcceptedOf } from './findings/host-accepted.js';
import { latencyManagedOf } from './findings/latency-managed.js';
import { hindranceOf } from './hindrance/hindrance.js';
import { type AlgorithmView, isRollback, promotionOf } from './view.js';

type Reported = 'phase' | 'replicas' | 'readyReplicas' | 'selector';

/** Assesses an Algorithm from its Deployment and its autoscaler. */
export function assess(view: AlgorithmView): Assessment<AlgorithmResource, typeof conditions, Reported> {
  const { accepted, resource, owned, siblings } = view;
  const deployment = owned.one(Deployment);
  const hindrance = hindranceOf(view, deployment);
  const Deployed = deployedOf(resource, siblings, { deployment, hindrance });
  const Available = availableOf(deployment, hindrance);
  const { mark: Autoscaled, requeueAfter } = autoscaledOf(
    resource,
    resource.spec.scaling && owned.one(HorizontalPodAutoscaler),
    // The time is a fact of this assessment only if the autoscaler fails.
    () => view.now,
  );
  return {
    conditions: {
      ...{ Deployed, Available, HostAccepted: hostAcceptedOf(view), Autoscaled },
      LatencyManaged: latencyManagedOf(resource),
    },
    status: { ...countsOf(deployment), phase: phaseOf({ accepted, resource, Deployed, Available }) },
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

interface PhaseFacts {
  readonly accepted: boolean;
  readonly resource: AlgorithmResource;
  readonly Deployed: { readonly reason: string };
  readonly Available: { readonly reason: string };
}

/** One word for users; the conditions give the details. */
function phaseOf({ accepted, resource, Deployed, Available }: PhaseFacts): AlgorithmStatus['phase'] {
  if (!accepted) return 'Rejected';
  if (Deployed.reason === 'RolloutFailed' || Deployed.reason === 'FailedCreate') return 'Degraded';
  const ofTrial = resource.spec.lifecycle && phaseOfTrial(resource, Deployed.reason);
  if (ofTrial) return ofTrial;
  if (Deployed.reason === 'RollingOut') return 'Pending';
  return Available.reason === 'Serving' ? 'Running' : 'Degraded';
}

/** The phase that follows from the trial; undefined if there is none, or if it ended with a promotion. */
function phaseOfTrial(resource: AlgorithmResource, deployed: string): AlgorithmStatus['phase'] {
  const promotion = promotionOf(resource);
  if (promotion?.reason === 'Paused' || promotion?.reason === 'Promoting') return promotion.reason;
  const isLeft = (resource.status?.trial?.replicas ?? 0) > 0 || deployed === 'RollingOut';
  if (promotion && isRollback(promotion)) return isLeft ? 'RollingBack' : 'RolledBack';
  if (deployed !== 'OnTrial') return undefined;
  return promotion?.status === 'False' ? 'Degraded' : 'Trial';
}

/** The replica counts for the scale subresource and the printer columns. */
function countsOf(
  deployment: LiveDeployment | undefined,
): Pick<AlgorithmStatus, 'replicas' | 'readyReplicas' | 'selector'> {
  const { matchLabels = {} } = deployment?.spec.selector ?? {};
  return {
    // Not the number of existing Pods: it changes during every rollout, and each change would cost a status write.
    replicas: deployment?.spec.replicas ?? 0,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    ...(Object.keys(matchLabels).length > 0 && { selector: scaleSelector(matchLabels) }),
  };
}
