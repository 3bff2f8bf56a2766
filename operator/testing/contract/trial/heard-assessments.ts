import type { Assessment, Controller } from '../../../runtime/controller/controller.js';
import { reportsElsewhere } from '../../../runtime/controller/owned-status.js';

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
export function withHeardAssessments(controller: Controller): Heard {
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
export function requiredConditions({
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
