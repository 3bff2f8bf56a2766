import { secondsOf } from '../../../../../crds/index.js';
import type { AlgorithmResource, AlgorithmSpecLifecycle } from '../../../../../imports/index.js';
import type { TrialSettings, WeightStep } from '../../judgement/index.js';

type Spec = AlgorithmResource['spec'];

/** The settings for trials of an Algorithm, from its spec. */
export function settingsOf(lifecycle: AlgorithmSpecLifecycle, { scaling }: Pick<Spec, 'scaling'>): TrialSettings {
  const { successThreshold, rollbackOnDrift, trial, latency, drift, paused } = lifecycle;
  const target = scaling?.targetLatencyMs;
  return {
    steps: stepsOf(lifecycle),
    standards: {
      success: successThreshold,
      latency:
        latency && target !== undefined ? { percentile: latency.percentile, targetSeconds: target / 1000 } : undefined,
      drift: drift && { method: drift.method, threshold: drift.threshold },
    },
    minRequests: trial.minRequests,
    failureLimit: trial.failureLimit,
    errorLimit: trial.errorLimit,
    interval: secondsOf(trial.interval),
    deadline: secondsOf(trial.deadline),
    bake: secondsOf(trial.bake),
    actsOnVerdict: rollbackOnDrift,
    isPaused: paused,
  };
}

function stepsOf({ canaryWeight, steps = [] }: AlgorithmSpecLifecycle): readonly WeightStep[] {
  if (steps.length === 0) return [{ weight: canaryWeight, seconds: 0 }];
  return steps.map((step) => ({ weight: step.weight, seconds: secondsOf(step.for) }));
}
