import type { Controller } from '../../runtime/controller/controller.js';
import { callsNothingWithoutAnswers } from './checks/calls/calls-nothing-without-answers.js';
import { leavesNothingOutside } from './checks/calls/leaves-nothing-outside.js';
import { repeatsNoCall } from './checks/calls/repeats-no-call.js';
import { survivesCrashAtCall } from './checks/calls/survives-crash-at-call.js';
import { completesDeletion } from './checks/deletion/completes-deletion.js';
import { deletesExpiredResource } from './checks/deletion/deletes-expired-resource.js';
import { releasesUnselectedResource } from './checks/deletion/releases-unselected-resource.js';
import { createsOwnedObjects } from './checks/objects/creates-owned-objects.js';
import { keepsForeignFields } from './checks/objects/keeps-foreign-fields.js';
import { keepsObjectsWithoutAnswers } from './checks/objects/keeps-objects-without-answers.js';
import { keepsObjectsWithoutRequirement } from './checks/objects/keeps-objects-without-requirement.js';
import { repairsObjects } from './checks/objects/repairs-objects.js';
import { separatesResources } from './checks/objects/separates-resources.js';
import { toleratesMissingReads } from './checks/objects/tolerates-missing-reads.js';
import { declaresConditions } from './checks/reports/declares-conditions.js';
import { reportsFirstRejection } from './checks/reports/reports-first-rejection.js';
import { reportsGeneration } from './checks/reports/reports-generation.js';
import { reportsRequiredConditions } from './checks/reports/reports-required-conditions.js';
import { changesNothingWhilePaused } from './checks/state/changes-nothing-while-paused.js';
import { keepsObjectsOfRejectedSpec } from './checks/state/keeps-objects-of-rejected-spec.js';
import { reachesEditedState } from './checks/state/reaches-edited-state.js';
import { reactsToEachField } from './checks/state/reacts-to-each-field.js';
import { survivesCrashAtWrite } from './checks/state/survives-crash-at-write.js';
import { writesOnce } from './checks/state/writes-once.js';
import type { ContractCheck } from './contract-check.js';
import type { ControllerCase } from './trial/controller-case.js';
import type { ControllerCheck } from './trial/controller-check.js';
import { trialsOf } from './trial/trials.js';

/** What holds for every controller, in the order in which the tests report it. Their files have the promises in words. */
const checks: readonly ControllerCheck[] = [
  createsOwnedObjects,
  writesOnce,
  separatesResources,
  declaresConditions,
  reportsRequiredConditions,
  reachesEditedState,
  reactsToEachField,
  keepsObjectsOfRejectedSpec,
  toleratesMissingReads,
  repairsObjects,
  keepsForeignFields,
  survivesCrashAtWrite,
  completesDeletion,
  deletesExpiredResource,
  reportsGeneration,
  reportsFirstRejection,
  releasesUnselectedResource,
  repeatsNoCall,
  callsNothingWithoutAnswers,
  survivesCrashAtCall,
  leavesNothingOutside,
  keepsObjectsWithoutAnswers,
  keepsObjectsWithoutRequirement,
  changesNothingWhilePaused,
];

/**
 * The guarantees that hold for every controller, each with a name for a test. They use a memory cluster and no timers.
 *
 * @example for (const { name, holds } of controllerContract(web, given)) it(name, holds);
 */
export function controllerContract(controller: Controller, given: ControllerCase): readonly ContractCheck[] {
  const trials = trialsOf(controller, given);
  return checks
    .filter(({ concerns }) => concerns?.(controller) ?? true)
    .map(({ name, holds }) => ({ name, holds: () => holds(trials) }));
}
