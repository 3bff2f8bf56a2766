import { defaultTrainingWorkerResources } from '../../../crds/index.js';
import type { TrainingJobSpec } from '../../../imports/index.js';
import { canonicalQuantity } from '../../manifest/quantity.js';
import { containerResources } from '../../workload/resources.js';
import type { TrainingWorkerRef } from '../naming/identity.js';

/** The scheduling gate that holds a worker back until there is room for all. */
export const gangGate = 'reconstruct.dev/gang';

/** The settings of the Pod of a worker. */
export interface WorkerPod {
  /** The name of the TrainingJob. */
  readonly name: string;
  readonly namespace: string;
  /** The UID of the TrainingJob: an old generation of it cannot write checkpoints, and another TrainingJob can. */
  readonly uid: string;
  readonly spec: TrainingJobSpec;
  readonly worker: TrainingWorkerRef;
  /** Whether all workers can mount the volume of the checkpoints. @default false - only the one with index 0 */
  readonly sharesVolume?: boolean;
  /** Whether the scheduler must leave the Pod alone. @default false */
  readonly gated?: boolean;
  /** Machines that must not run the Pod. @default [] */
  readonly avoid?: readonly string[];
  /** Value of the label `spec.topology.key` of the nodes that can run the Pod. @default - not chosen yet, or none is needed */
  readonly domain?: string | undefined;
}

/**
 * The resources of the container of a worker. CPU and memory have defaults. Of all others, a request is the limit if it is
 * absent, as in every Pod.
 */
export function workerResources({ resources }: Pick<TrainingJobSpec, 'resources'>): WorkerResources {
  const common = containerResources(resources, defaultTrainingWorkerResources);
  const { requests = {}, limits = {} } = resources;
  const others = (amounts: Readonly<Record<string, string | number>>) =>
    Object.fromEntries(
      Object.entries(amounts)
        .filter(([name]) => name !== 'cpu' && name !== 'memory')
        .map(([name, amount]) => [name, canonicalQuantity(amount)]),
    );
  return {
    requests: { ...others(limits), ...others(requests), ...common.requests },
    limits: { ...others(limits), ...common.limits },
  };
}

/** Canonical quantities by resource. */
export interface WorkerResources {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}
