import { isDeleting, type LiveObject, type Manifest } from '../kubernetes/object.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import type { Controller, Finalization } from './controller.js';
import type { CustomResource } from './custom-resource.js';
import { crossNamespaceKinds } from './owned-kinds.js';
import { callUserCode } from './user-code.js';

/** By default no cleanup is skipped without a person's decision. */
export const patient: Required<Finalization> = { deadline: 1_800_000, onDeadline: 'keep', external: () => false };

/** False for a resource that the controller is no longer responsible for, so that it cleans up. */
export function isSelected({ name, selects }: Controller, resource: CustomResource): boolean {
  return selects === undefined || callUserCode(name, 'selects', () => selects(resource));
}

/** True if nothing of the resource is to be left: it is being deleted, or it is no longer selected. */
export function isEnding(controller: Controller, resource: CustomResource): boolean {
  return isDeleting(resource) || !isSelected(controller, resource);
}

/** True if the controller may have to clean up something that the garbage collector does not delete. */
export function undoes(controller: Pick<Controller, 'finalizes' | 'kind' | 'owns'>): boolean {
  return controller.finalizes || crossNamespaceKinds(controller).length > 0;
}

/** True if a resource has something to clean up outside of the cluster. */
export function isExternal({ name, calls, finalization }: Controller, resource: CustomResource): boolean {
  return calls.length > 0 || callUserCode(name, 'finalization', () => finalization.external(resource));
}

/**
 * Annotation by which a person releases a resource that is being deleted, without the rest of its cleanup. Its value is
 * the resource's UID, so that it has no effect on a copy.
 */
export const releaseAnnotation = 'reconstruct.dev/release';

export function isReleased({ metadata }: LiveObject): boolean {
  return metadata.annotations?.[releaseAnnotation] === metadata.uid;
}

/** Milliseconds until a deletion is overdue. 0 or less if it is, undefined if there is no deletion. */
export function untilOverdue({ finalization }: Controller, { metadata }: LiveObject, now: number): number | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return Date.parse(metadata.deletionTimestamp) + finalization.deadline - now;
}

/** How a person releases the resource. */
export function advice({ metadata }: LiveObject): string {
  return `to release it without the rest of its cleanup, annotate it with ${releaseAnnotation}=${metadata.uid}`;
}

/**
 * True if the resource has the controller's finalizer. A controller that never cleans up has no permission to remove a
 * finalizer. A finalizer of its name was then set by another writer.
 */
export function hasFinalizer(
  { metadata }: CustomResource,
  controller: Pick<Controller, 'name' | 'finalizes' | 'kind' | 'owns'>,
): boolean {
  return undoes(controller) && (metadata.finalizers?.includes(finalizerOf(controller.name)) ?? false);
}

/**
 * Whether a controller holds an object by its finalizer, because the object has something to tell. Nothing is to be learned for a
 * resource that ends.
 */
export function isProtected(object: Manifest, controller: Controller, resource: CustomResource): boolean {
  if (!controller.protects || isEnding(controller, resource)) return false;
  return callUserCode(controller.name, 'protects', () => controller.protects?.(object, resource)) ?? false;
}
