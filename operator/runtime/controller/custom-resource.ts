import type { LiveObject } from '../kubernetes/object.js';
import { type Condition, conditionOf } from './conditions.js';

/** A custom resource as the runtime knows it: any kind, with the part of the status that the runtime writes. */
export interface CustomResource extends LiveObject {
  readonly spec?: unknown;
  readonly status?: object | undefined;
}

/** The part of every resource's status that the runtime writes. The controller writes the rest. */
export interface RuntimeStatus {
  /** The generation of the spec that the status describes. */
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** Reconciles that failed in a row. 0 if the last one succeeded. */
  readonly retryCount?: number;
  /** RFC 3339: when another part of the status last changed. */
  readonly lastReconciled?: string;
}

/** The runtime's part of a resource's status. Empty if nothing is reported. */
export function runtimeStatusOf(resource: LiveObject | undefined): RuntimeStatus {
  return (resource as CustomResource | undefined)?.status ?? {};
}

/** What the status reports about the last spec that was assessed. */
export function acceptanceOf(resource: LiveObject | undefined): Condition | undefined {
  return conditionOf({ status: runtimeStatusOf(resource) }, 'Accepted');
}

/** The status fields that a controller writes: those of the schema without the runtime's. */
export type OwnStatus<R extends CustomResource> = Partial<Omit<NonNullable<R['status']>, keyof RuntimeStatus>>;
