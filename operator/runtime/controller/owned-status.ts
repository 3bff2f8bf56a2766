import { isRecord } from '../kubernetes/json.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import { blockerConditions } from './blocker.js';
import type { Condition } from './conditions.js';
import { type RuntimeStatus, runtimeStatusOf } from './custom-resource.js';

/**
 * Where a controller reports. `status`: the status of its kind. `events`: events only. `annotation`: events, and an
 * annotation `<controller>.reconstruct.dev/conditions` with the conditions as JSON.
 */
export type ReportTarget = 'status' | 'events' | 'annotation';

/** The part of a controller that tells where it reports. */
interface Reporting {
  readonly name: string;
  /** @default 'status' */
  readonly reportsTo?: ReportTarget | undefined;
}

/** True if the status of the kind belongs to others, so that the controller neither reads its own report there nor writes it. */
export function reportsElsewhere({ reportsTo = 'status' }: Pick<Reporting, 'reportsTo'>): boolean {
  return reportsTo !== 'status';
}

/** Annotation of a resource with the conditions that a controller found, as JSON. */
export function conditionsAnnotationOf(controller: string): string {
  return `${controller}.reconstruct.dev/conditions`;
}

/** What a controller reported last about a resource, as the resource shows it. Events leave nothing to see. */
export function reportIn({ name, reportsTo = 'status' }: Reporting, resource: LiveObject): RuntimeStatus {
  if (reportsTo === 'status') return runtimeStatusOf(resource);
  const text = reportsTo === 'annotation' ? resource.metadata.annotations?.[conditionsAnnotationOf(name)] : undefined;
  return text === undefined ? {} : { conditions: conditionsIn(text) };
}

/** Others may have written the annotation. What is not a condition does not count, and the next write replaces it. */
function conditionsIn(text: string): readonly Condition[] {
  try {
    const parsed: unknown = JSON.parse(text);
    const isCondition = (one: unknown): one is Condition => isRecord(one) && typeof one['type'] === 'string';
    return Array.isArray(parsed) ? parsed.filter(isCondition) : [];
  } catch {
    return [];
  }
}

/** The part of a resource's status that a controller writes. What other controllers write stays unchanged. */
export interface OwnedStatus {
  /** Fields of the status, including `conditions`. */
  readonly fields: ReadonlySet<string>;
  /** Condition types. */
  readonly conditions: ReadonlySet<string>;
}

/** The condition that is True while objects that are no longer desired stay, because something is not known. */
export const heldCondition = 'PruningHeld';

/** The condition that is True while the resource is paused. */
export const pausedCondition = 'Paused';

/** The condition that is True while an annotation of the resource has a value that means nothing. */
export const annotationCondition = 'AnnotationInvalid';

/** Condition types that only the runtime sets, for the primary controller. */
export const runtimeConditions: readonly string[] = [
  'Accepted',
  'Ready',
  'Reconciling',
  'Stalled',
  ...blockerConditions,
  heldCondition,
  pausedCondition,
  annotationCondition,
];

/** Fields that only the runtime sets. */
export const runtimeFields: readonly string[] = ['observedGeneration', 'retryCount', 'lastReconciled'];

/** Intents of irreversible calls, which are patched, so that no write of the status changes them. */
export const callIntentsField = 'externalCalls';

interface Declared {
  readonly kind: ObjectKind;
  readonly conditions: object;
  readonly statusFields?: readonly PropertyKey[] | undefined;
  readonly reportsTo?: ReportTarget | undefined;
}

/** @param leads whether the controller reports if a resource is accepted and ready */
export function ownedStatusOf(
  { kind: { statusFields: fields = [] }, conditions, statusFields, ...reporting }: Declared,
  leads: boolean,
): OwnedStatus {
  const all = reportsElsewhere(reporting) ? [] : fields;
  const own = new Set<PropertyKey>(statusFields ?? all);
  const isShared = (field: string) => field === 'conditions' || (leads && runtimeFields.includes(field));
  const isOwn = (field: string) => own.has(field) && ![...runtimeFields, callIntentsField].includes(field);
  return {
    fields: new Set(all.filter((field) => isShared(field) || isOwn(field))),
    conditions: new Set([...(leads ? runtimeConditions : []), ...Object.keys(conditions)]),
  };
}
