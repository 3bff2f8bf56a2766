import assert from 'node:assert/strict';
import type { Assessment, Controller } from '../../runtime/controller/controller.js';
import { reportsElsewhere } from '../../runtime/controller/owned-status.js';
import type { ContractCheck } from './contract-check.js';

/**
 * The guarantees of what `assess` returns.
 * @param play reconciles each given spec with a controller
 */
export function assessmentChecks(
  controller: Controller,
  play: (tried: Controller) => Promise<void>,
): readonly ContractCheck[] {
  return [
    {
      name: 'sets only declared conditions, because others are not reported',
      holds: async () => {
        const { heard, undeclared } = withHeardAssessments(controller);
        await play(heard);
        assert.deepEqual([...undeclared], [], 'declare these in conditions');
      },
    },
    {
      name: 'reports each condition that Ready waits for, and only status fields of its kind',
      holds: async () => {
        const { heard, reported, unknownFields } = withHeardAssessments(controller);
        await play(heard);
        const missing = requiredConditions(controller).filter((type) => !reported.has(type));
        assert.deepEqual(missing, [], 'return these from assess, or list them in optionalConditions');
        assert.deepEqual([...unknownFields], [], 'correct the names of these status fields, or add them to the schema');
      },
    },
  ];
}

/** What the assessments of a controller contained. */
interface Heard {
  /** The same controller, whose assessments are recorded. */
  readonly heard: Controller;
  /** Conditions without a declaration. They are not reported. */
  readonly undeclared: ReadonlySet<string>;
  /** Declared conditions that were reported. */
  readonly reported: ReadonlySet<string>;
  /** Status fields that the controller does not write, or that its kind lacks. */
  readonly unknownFields: ReadonlySet<string>;
}

/** Records what `assess` returns. */
function withHeardAssessments(controller: Controller): Heard {
  const [undeclared, reported, unknownFields] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const assess: Controller['assess'] = (...args) => {
    const assessment = controller.assess(...args);
    for (const [type, mark] of Object.entries(assessment.conditions)) {
      if (mark) (Object.hasOwn(controller.conditions, type) ? reported : undeclared).add(type);
    }
    for (const field of unknownStatusFields(controller, assessment)) unknownFields.add(field);
    return assessment;
  };
  return { heard: { ...controller, assess }, undeclared, reported, unknownFields };
}

/** The status fields of an assessment that the kind lacks, or that another controller writes. */
export function unknownStatusFields(
  { kind, ownedStatus, reportsTo }: Pick<Controller, 'kind' | 'ownedStatus' | 'reportsTo'>,
  { status = {} }: Assessment,
): readonly string[] {
  if (!kind.statusFields || reportsElsewhere({ reportsTo })) return [];
  return Object.entries(status)
    .filter(([field, value]) => value !== undefined && !ownedStatus.fields.has(field))
    .map(([field]) => field);
}

/** The conditions that `Ready` waits for, whatever the resource. */
function requiredConditions({
  conditions,
  informationalConditions,
  isPrimary,
  optionalConditions,
}: Controller): readonly string[] {
  if (!isPrimary) return [];
  return Object.keys(conditions).filter(
    (type) => !informationalConditions.includes(type) && !optionalConditions.includes(type),
  );
}
