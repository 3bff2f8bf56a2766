import type { IConstruct } from 'constructs';
import { isInOperator } from '../validation/operator-scope.js';
import { nameProblem } from './names.js';

/** The problem of a name that would have to be changed for the objects. The operator accepts every name of a resource. */
export function nameProblems(construct: IConstruct, name: string): readonly string[] {
  if (isInOperator(construct)) return [];
  const problem = nameProblem(name);
  return problem === undefined ? [] : [`name: ${problem}`];
}
