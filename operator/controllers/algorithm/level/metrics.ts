import type { AlgorithmResource } from '../../../../imports/index.js';

/** What Prometheus is told of each service level. */
export const metrics = {
  reconstruct_algorithm_sla_burn_rate: {
    help: 'Rate at which the error budget is used: 1 uses it up in its window.',
    valueFrom: ({ spec, status }: AlgorithmResource) => (spec.sla ? status?.sla?.burnRate : undefined),
  },
} as const;
