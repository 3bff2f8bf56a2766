import type { AlgorithmResource } from '../../../../imports/index.js';

/** The Prometheus metrics of each service level. */
export const metrics = {
  reconstruct_algorithm_sla_burn_rate: {
    help: 'Burn rate of the error budget: 1 uses the budget up in exactly its window.',
    valueFrom: ({ spec, status }: AlgorithmResource) => (spec.sla ? status?.sla?.burnRate : undefined),
  },
} as const;
