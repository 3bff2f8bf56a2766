import type { AlgorithmResource } from '../../../../imports/index.js';

/** What Prometheus is told of each service level. */
export const figures = {
  reconstruct_algorithm_sla_burn_rate: {
    help: 'How fast the failures that the service level allows are used up: 1 uses them up in its window.',
    of: ({ spec, status }: AlgorithmResource) => (spec.sla ? status?.sla?.burnRate : undefined),
  },
} as const;
