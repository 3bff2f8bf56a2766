import type { ObjectKind } from '../kubernetes/kinds.js';
import { blockerConditions } from './blocker.js';

/** What of a resource's status is a controller's to write. What another one says is left alone. */
export interface OwnedStatus {
  /** Fields of the status, `conditions` included. */
  readonly fields: ReadonlySet<string>;
  /** Types of conditions. */
  readonly conditions: ReadonlySet<string>;
}

/** Condition types that only the runtime sets, for the controller that leads. */
export const runtimeConditions: readonly string[] = [
  'Accepted',
  'Ready',
  'Reconciling',
  'Stalled',
  ...blockerConditions,
];

/** Fields that only the runtime sets. */
const runtimeFields: readonly string[] = ['observedGeneration', 'retryCount', 'lastReconciled'];

interface Declared {
  readonly kind: ObjectKind;
  readonly conditions: object;
  readonly statusFields?: readonly PropertyKey[] | undefined;
}

/** @param leads whether it is the one that says if a resource is accepted and ready */
export function ownedStatusOf(
  { kind: { statusFields: all = [] }, conditions, statusFields }: Declared,
  leads: boolean,
): OwnedStatus {
  const own = new Set<PropertyKey>(statusFields ?? all);
  const isShared = (field: string) => field === 'conditions' || (leads && runtimeFields.includes(field));
  const isOwn = (field: string) => own.has(field) && !runtimeFields.includes(field);
  return {
    fields: new Set(all.filter((field) => isShared(field) || isOwn(field))),
    conditions: new Set([...(leads ? runtimeConditions : []), ...Object.keys(conditions)]),
  };
}
