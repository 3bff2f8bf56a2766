import type { AlgorithmResource, AlgorithmStatus } from '../../../imports/index.js';
import {
  type Assessment,
  type ConfigMap,
  Deployment,
  type HorizontalPodAutoscaler,
  type LiveDeployment,
  type Mark,
  type Outcome,
  type PodDisruptionBudget,
  type Service,
} from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { rolloutOf } from './rollout.js';

type Vocabulary = typeof conditions;
type Kinds =
  | typeof ConfigMap
  | typeof Service
  | typeof Deployment
  | typeof PodDisruptionBudget
  | typeof HorizontalPodAutoscaler;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;

/** Judges an Algorithm by its Deployment. */
export function assess(outcome: Outcome<AlgorithmResource, Kinds>): Assessment<AlgorithmResource, Vocabulary> {
  const { accepted, resource, owned } = outcome;
  const deployment = owned.one(Deployment);
  const Deployed = rolloutOf(deployment);
  const Available = servingOf(deployment);
  const { lifecycle, scaling } = resource.spec;
  return {
    conditions: {
      Deployed,
      Available,
      LifecycleManaged: lifecycle && { reason: 'NotManaged' },
      LatencyManaged: scaling?.targetLatencyMs === undefined ? undefined : { reason: 'NotMeasured' },
    },
    status: { ...countsOf(deployment), phase: phaseOf({ accepted, Deployed, Available }) },
  };
}

function servingOf(deployment: LiveDeployment | undefined): Reason<'Available'> {
  if (deployment?.spec.replicas === 0) return { reason: 'Stopped' };
  return { reason: (deployment?.status?.availableReplicas ?? 0) > 0 ? 'Serving' : 'NoReadyReplica' };
}

/** One word for people; the conditions say the rest. */
function phaseOf(found: {
  accepted: boolean;
  Deployed: { reason: string };
  Available: { reason: string };
}): AlgorithmStatus['phase'] {
  if (!found.accepted) return 'Rejected';
  if (found.Deployed.reason === 'RolloutFailed' || found.Deployed.reason === 'Refused') return 'Degraded';
  if (found.Deployed.reason === 'RollingOut') return 'Pending';
  return found.Available.reason === 'Serving' ? 'Running' : 'Degraded';
}

/** The numbers that the scale subresource and the printer columns read. */
function countsOf(
  deployment: LiveDeployment | undefined,
): Pick<AlgorithmStatus, 'replicas' | 'readyReplicas' | 'selector'> {
  const labels = Object.entries(deployment?.spec.selector.matchLabels ?? {});
  return {
    // Not the pods that exist: their number moves without anything having happened, each time at the price of a write.
    replicas: deployment?.spec.replicas ?? 0,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    ...(labels.length > 0 && { selector: labels.map(([key, value]) => `${key}=${value}`).join(',') }),
  };
}
