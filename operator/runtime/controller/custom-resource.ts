import type { LiveObject } from '../kubernetes/object.js';
import type { Condition } from './conditions.js';

/** A custom resource as the runtime knows it: any kind, with the part of its status that the runtime writes. */
export interface CustomResource extends LiveObject {
  readonly spec?: unknown;
  readonly status?: object | undefined;
}

/** The part of every resource's status that the runtime writes; the rest is the controller's. */
export interface RuntimeStatus {
  /** The generation of the spec that the status is about. */
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** Passes that failed in a row; 0 when the last one did not. */
  readonly retryCount?: number;
  /** RFC 3339: when something else in the status moved last. */
  readonly lastReconciled?: string;
}

/** The runtime's part of a resource's status; empty while it says nothing. */
export function runtimeStatusOf(resource: LiveObject | undefined): RuntimeStatus {
  return (resource as CustomResource | undefined)?.status ?? {};
}

/** What the status says of the last spec that was judged. */
export function acceptanceOf(resource: LiveObject | undefined): Condition | undefined {
  return runtimeStatusOf(resource).conditions?.find(({ type }) => type === 'Accepted');
}

/** The status fields that a controller fills in: those of the schema that are not the runtime's. */
export type OwnStatus<R extends CustomResource> = Partial<Omit<NonNullable<R['status']>, keyof RuntimeStatus>>;
