import { trainingJobSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { TrainingJobSpec } from '../../imports/index.js';
import { compareQuantities } from '../manifest/quantity.js';
import { nameProblem } from '../workload/name-problem.js';
import { workerResources } from './objects/worker-settings.js';

const longestName = 40;

/** The problems of a spec: fields that do not match the schema, and fields that contradict each other. */
export function trainingProblems(spec: TrainingJobSpec): readonly string[] {
  const ofFields = valueProblems(trainingJobSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // The other checks need a spec that matches its schema.
  if (ofFields.length > 0) return ofFields;
  return [...requestProblems(spec), ...memoryProblems(spec)];
}

/** The problem of the name of a TrainingJob, if it has one. It is also a CEL rule of the schema. */
export function trainingNameProblem(name: string): readonly string[] {
  return nameProblem(name, longestName);
}

function requestProblems({ resources: { requests = {}, limits = {} } }: TrainingJobSpec): readonly string[] {
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(request, limit) <= 0) return [];
    return [
      `resources.requests[${name}]: Invalid value: ${JSON.stringify(request)}: must be at most the limit, ${limit}; lower the request or raise the limit`,
    ];
  });
}

/** Shared memory counts as memory of the container: one that fills it would be killed. That has a limit by default, too. */
function memoryProblems({ resources, sharedMemory }: TrainingJobSpec): readonly string[] {
  const memory = resources.limits?.['memory'] ?? workerResources({ resources }).limits['memory'] ?? '0';
  if (compareQuantities(sharedMemory, memory) < 0) return [];
  const cure = resources.limits?.['memory'] === undefined ? 'set the limit' : 'raise the limit';
  return [
    `sharedMemory: Invalid value: ${JSON.stringify(sharedMemory)}: must be below resources.limits.memory, ${memory}, which includes it; lower sharedMemory or ${cure}`,
  ];
}
