import type { AlgorithmResource } from '../../../../imports/index.js';

/** What Prometheus is told of each trial that goes on. */
export const figures = {
  reconstruct_algorithm_trial_weight: {
    help: 'Per cent of the requests that the version on trial gets.',
    of: ({ status }: AlgorithmResource) => status?.trial?.weight,
  },
  reconstruct_algorithm_trial_start_time_seconds: {
    help: 'When the trial that is not decided yet began, in seconds since 1970.',
    of: (resource: AlgorithmResource) => (isUndecided(resource) ? startOf(resource) : undefined),
  },
} as const;

function isUndecided({ spec, status }: AlgorithmResource): boolean {
  if (spec.lifecycle?.paused) return false; // no time goes by
  return status?.conditions?.some(({ type, status: says }) => type === 'Promoted' && says === 'Unknown') ?? false;
}

function startOf({ status }: AlgorithmResource): number | undefined {
  const start = Date.parse(status?.trial?.since ?? '') / 1000;
  return Number.isNaN(start) ? undefined : start;
}
