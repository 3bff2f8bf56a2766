import { sparkJobSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { SparkJobSpec } from '../../imports/index.js';
import { nameProblem } from '../workload/name-problem.js';
import { requestProblems } from '../workload/resources.js';
import { memoryProblems } from './config/memory.js';

const longestName = 45;

/** The problems of a spec: fields that do not match the schema, and fields that contradict each other. */
export function sparkProblems(spec: SparkJobSpec): readonly string[] {
  const ofFields = valueProblems(sparkJobSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // The other checks need a spec that matches its schema.
  if (ofFields.length > 0) return ofFields;
  const ofRequests = [
    ...requestProblems('driver.resources', spec.driver.resources),
    ...requestProblems('executors.resources', spec.executors.resources),
  ];
  return [...ofRequests, ...memoryProblems(spec)];
}

/** The problem of the name of a SparkJob, if it has one. It is also a CEL rule of the schema. */
export function sparkNameProblem(name: string): readonly string[] {
  return nameProblem(name, longestName);
}
