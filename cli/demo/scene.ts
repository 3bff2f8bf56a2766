import type { Condition } from '../../operator/runtime/controller/conditions.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { type CustomResource, runtimeStatusOf } from '../../operator/runtime/controller/custom-resource.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';

/** The state at one moment: a resource and the objects that it owns. */
export interface Scene {
  /** Undefined before its creation and after its deletion. */
  readonly resource: CustomResource | undefined;
  readonly objects: readonly LiveObject[];
}

/** The conditions of a resource; none before the first reconcile. */
export function conditionsIn(resource: CustomResource | undefined): readonly Condition[] {
  return runtimeStatusOf(resource).conditions ?? [];
}

/** Whether the spec was accepted and an object of each owned kind exists. */
export function isComplete({ resource, objects }: Scene, { owns }: Pick<Controller, 'owns'>): boolean {
  const accepted = conditionsIn(resource).find(({ type }) => type === 'Accepted');
  const current = accepted?.status === 'True' && accepted.observedGeneration === resource?.metadata.generation;
  const there = new Set(objects.map(({ kind }) => kind));
  return current && owns.every(({ kind }) => there.has(kind));
}

/** Whether the resource reports that it is ready, for its current spec. */
export function isReady({ resource }: Pick<Scene, 'resource'>): boolean {
  const ready = conditionsIn(resource).find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === resource?.metadata.generation;
}
