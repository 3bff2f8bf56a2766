import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../plain.js';
import { canonicalQuantity } from '../quantity.js';

/**
 * What a pod gets. Memory is limited to what is requested, so that nodes do not run out of it. CPU is not limited: a
 * limit slows a server down while the node's cores idle.
 */
export function computeResources({
  cpu,
  memory,
  gpu,
  gpuCount = 1,
}: AlgorithmSpec['resources']): Plain<k8s.ResourceRequirements> {
  const limited = {
    memory: canonicalQuantity(memory),
    // Extended resources cannot be overcommitted: Kubernetes wants the same number on both sides.
    ...(gpu !== undefined && { [gpu]: canonicalQuantity(gpuCount) }),
  };
  return { requests: { cpu: canonicalQuantity(cpu), ...limited }, limits: limited };
}
