import type { SparkJobSpec } from '../../../../imports/index.js';
import { defaultExecutors } from '../../../../src/index.js';

/** The number of executors that a job asks for, the highest one if it follows the load. */
export function wantedExecutors({ spec: { executors } }: { readonly spec: Pick<SparkJobSpec, 'executors'> }): number {
  return executors.dynamic?.max ?? executors.replicas ?? defaultExecutors;
}
