import type { AlgorithmSpec } from '../../imports/index.js';

/** What is wrong with a spec that the API server has not looked at: fields that contradict each other. */
export function problemsOf({ resources, scaling }: AlgorithmSpec): string[] {
  const problems: string[] = [];
  if (resources.gpuCount !== undefined && resources.gpu === undefined) {
    problems.push(`resources.gpuCount is ${resources.gpuCount} without resources.gpu; name it, as nvidia.com/gpu`);
  }
  if (scaling && scaling.minReplicas > scaling.maxReplicas) {
    problems.push(
      `scaling.minReplicas ${scaling.minReplicas} is more than maxReplicas ${scaling.maxReplicas}; lower it or raise that`,
    );
  }
  return problems;
}
