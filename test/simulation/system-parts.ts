import { type Parts, partsOf } from '../systems/parts.js';
import type { Histories, PlanBugs } from './plan-history.js';
import type { Subject } from './runtime-subjects.js';

/** The controllers of each system that are simulated, by the name on the command line. */
export function subjectsOfSystems(): Promise<Parts<Readonly<Record<string, Subject>>>> {
  return partsOf('test/simulation/<system>/subjects.ts', 'subjects');
}

/** The histories of the plan of each system. */
export function historiesOfSystems(): Promise<Parts<Histories>> {
  return partsOf('test/simulation/<system>/histories.ts', 'histories');
}

/** The mistakes that the histories of each system must find. */
export function bugsOfSystems(): Promise<Parts<PlanBugs>> {
  return partsOf('test/simulation/<system>/bugs.ts', 'bugs');
}
