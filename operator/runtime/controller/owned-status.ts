import type { ObjectKind } from '../kubernetes/kinds.js';
import { blockerConditions } from './blocker.js';

/** The part of a resource's status that a controller writes. What other controllers write stays unchanged. */
export interface OwnedStatus {
  /** Fields of the status, including `conditions`. */
  readonly fields: ReadonlySet<string>;
  /** Condition types. */
  readonly conditions: ReadonlySet<string>;
}

/** Condition types that only the runtime sets, for the primary controller. */
export const runtimeConditions: readonly string[] = [
  'Accepted',
  'Ready',
  'Reconciling',
  'Stalled',
  ...blockerConditions,
];

/** Fields that only the runtime sets. */
const runtimeFields: readonly string[] = ['observedGeneration', 'retryCount', 'lastReconciled'];

/** Intents of irreversible calls, which are patched, so that no write of the status changes them. */
export const callIntentsField = 'externalCalls';

interface Declared {
  readonly kind: ObjectKind;
  readonly conditions: object;
  readonly statusFields?: readonly PropertyKey[] | undefined;
}

/** @param leads whether the controller reports if a resource is accepted and ready */
export function ownedStatusOf(
  { kind: { statusFields: all = [] }, conditions, statusFields }: Declared,
  leads: boolean,
): OwnedStatus {
  const own = new Set<PropertyKey>(statusFields ?? all);
  const isShared = (field: string) => field === 'conditions' || (leads && runtimeFields.includes(field));
  const isOwn = (field: string) => own.has(field) && ![...runtimeFields, callIntentsField].includes(field);
  return {
    fields: new Set(all.filter((field) => isShared(field) || isOwn(field))),
    conditions: new Set([...(leads ? runtimeConditions : []), ...Object.keys(conditions)]),
  };
}
