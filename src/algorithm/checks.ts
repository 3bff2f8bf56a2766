import { algorithmSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { AlgorithmSpec } from '../../imports/index.js';

/**
 * What is wrong with a spec that the API server has not looked at: fields that the schema does not take, each with its
 * path, and fields that contradict each other.
 */
export function problemsOf(spec: AlgorithmSpec): readonly string[] {
  const ofFields = valueProblems(algorithmSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  return [...ofFields, ...contradictions(spec)];
}

function contradictions({ resources, scaling }: AlgorithmSpec): readonly string[] {
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
