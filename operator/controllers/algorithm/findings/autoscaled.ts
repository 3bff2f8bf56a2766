import type { AlgorithmResource } from '../../../../imports/index.js';
import { conditionOf, type LiveHorizontalPodAutoscaler, type Mark } from '../../../runtime/index.js';
import { conditions } from '../conditions.js';

type Autoscaled = Mark<keyof (typeof conditions)['Autoscaled']>;

/** Milliseconds without metrics that are normal: the first Pods of a rollout have none for a minute. */
const usual = 180_000;

/** The `Autoscaled` condition, and how long it stays if nothing changes. */
export interface Autoscaling {
  readonly mark?: Autoscaled;
  /** Milliseconds until a failure has lasted too long. */
  readonly requeueAfter?: number;
}

/**
 * Whether the autoscaler of an Algorithm can scale, by its own condition `ScalingActive`. Until a failure has lasted for
 * three minutes, and while the autoscaler reports nothing, the condition stays as it was.
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale-walkthrough/#appendix-horizontal-pod-autoscaler-status-conditions
 */
export function autoscaledOf(
  resource: AlgorithmResource,
  autoscaler: LiveHorizontalPodAutoscaler | undefined,
  now: () => Date,
): Autoscaling {
  if (!resource.spec.scaling) return {};
  const active = conditionOf(autoscaler, 'ScalingActive');
  const before = conditionOf<typeof conditions>(resource, 'Autoscaled');
  const asBefore = before ? { mark: { reason: before.reason as Autoscaled['reason'], message: before.message } } : {};
  if (!active) return asBefore;
  if (active.status === 'True') return { mark: { reason: 'ScalingActive' } };
  // A reported failure has lasted long enough, so it does not depend on the time any more.
  if (before?.status === 'False') return { mark: failureOf(active.reason, active.message) };
  const lasted = now().getTime() - Date.parse(active.lastTransitionTime ?? '');
  if (lasted < usual && active.reason !== 'ScalingDisabled') return { ...asBefore, requeueAfter: usual - lasted };
  return { mark: failureOf(active.reason, active.message) };
}

function failureOf(cause = '', message = ''): Autoscaled {
  const reason =
    cause === 'ScalingDisabled' ? cause : cause.startsWith('FailedGet') ? 'MetricsUnavailable' : 'ScalingInactive';
  const [, sentence] = conditions.Autoscaled[reason];
  return { reason, message: reason === 'ScalingDisabled' ? sentence : `${sentence}: ${message}` };
}
