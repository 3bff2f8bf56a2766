import { algorithmSpec, defaultServerResources } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { AlgorithmSpec } from '../../imports/index.js';
import { wholeQuantity } from '../manifest/quantity.js';
import { containerResources, requestProblems } from '../workload/resources.js';

/**
 * The problems of a spec that the API server has not checked: fields that do not match the schema, each with its path,
 * and fields that contradict each other.
 */
export function problemsOf(spec: AlgorithmSpec): readonly string[] {
  const ofFields = valueProblems(algorithmSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // An invalid field cannot be compared with another one.
  return ofFields.length > 0 ? ofFields : contradictions(spec);
}

function contradictions({ resources, scaling }: AlgorithmSpec): readonly string[] {
  const problems = [...requestProblems('resources', resources)];
  if (resources.gpuCount !== undefined && resources.gpu === undefined) {
    problems.push(
      'resources.gpu: Required value: must be set if gpuCount is set; use the name of the extended resource, such as nvidia.com/gpu',
    );
  }
  if (scaling && scaling.minReplicas > scaling.maxReplicas) {
    problems.push(
      `scaling.minReplicas: Invalid value: ${scaling.minReplicas}: must be at most maxReplicas ${scaling.maxReplicas}; lower minReplicas or raise maxReplicas`,
    );
  }
  const { cpu } = containerResources(resources, defaultServerResources).requests;
  if (scaling && wholeQuantity(cpu) === 0n) {
    problems.push(
      `resources.requests.cpu: Invalid value: ${JSON.stringify(cpu)}: must be above 0 if scaling is set, because the autoscaler scales by a percentage of it; use an amount such as 100m`,
    );
  }
  return problems;
}
