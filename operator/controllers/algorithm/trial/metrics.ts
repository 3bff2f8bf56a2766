import type { AlgorithmResource } from '../../../../imports/index.js';

/** The Prometheus metrics of each running trial. */
export const metrics = {
  reconstruct_algorithm_trial_weight: {
    help: 'Percentage of requests that the version on trial gets.',
    valueFrom: ({ status }: AlgorithmResource) => status?.trial?.weight,
  },
  reconstruct_algorithm_trial_start_time_seconds: {
    help: 'Unix time at which the undecided trial started.',
    valueFrom: (resource: AlgorithmResource) => (isUndecided(resource) ? startOf(resource) : undefined),
  },
} as const;

function isUndecided({ spec, status }: AlgorithmResource): boolean {
  if (spec.lifecycle?.paused) return false; // its timers are stopped
  return status?.conditions?.some(({ type, status: says }) => type === 'Promoted' && says === 'Unknown') ?? false;
}

function startOf({ status }: AlgorithmResource): number | undefined {
  const start = Date.parse(status?.trial?.since ?? '') / 1000;
  return Number.isNaN(start) ? undefined : start;
}
