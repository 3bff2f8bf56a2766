import type { Chart } from 'cdk8s';
import type { Manifest } from '../../src/index.js';

export const now = '2026-11-21T13:00:00Z';

/** Later than every edit of the pages, so that `kubectl wait` accepts the conditions. */
export const observedGeneration = 1_000;

/** The version of the kinds of this package, except Algorithms. */
export const apiVersion = 'reconstruct.dev/v1alpha1';

/** Every condition that the controllers of a kind declare, as True, with conditions of the runtime. */
export function allTrue(...declared: readonly object[]) {
  const types = ['Ready', 'Accepted', 'Paused', ...declared.flatMap((conditions) => Object.keys(conditions))];
  return [...new Set(types)].map((type) => ({
    ...{ type, status: 'True' as const, reason: 'Given', message: 'Given', lastTransitionTime: now },
  }));
}

/** A resource of the pages, with the status that its operator would write. */
export interface GivenResource extends Manifest {
  readonly spec: object;
  readonly status: object;
}

/** What the pages of a system name. */
export interface GivenSystem {
  /** The resources that the pages do not create before they name them. */
  readonly resources: readonly GivenResource[];
  /** Adds the objects that the operator renders for them, of all variants that the pages name, each once. @default - none */
  readonly objects?: (chart: Chart, namespace: string) => void;
  /** Label selectors of Pods that controllers of Kubernetes create for these objects. @default - none */
  readonly pods?: readonly string[];
}
