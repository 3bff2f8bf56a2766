import type { LiveObject } from '../kubernetes/object.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import type { Controller, Finalization } from './controller.js';
import type { CustomResource } from './custom-resource.js';
import { crossNamespaceKinds } from './owned-kinds.js';
import { callUserCode } from './user-code.js';

/** Nothing is lost that a person did not give up. */
export const patient: Required<Finalization> = { deadline: 1_800_000, onDeadline: 'keep', external: () => false };

/** True of a controller that may have something to undo, which the garbage collector leaves. */
export function undoes(controller: Pick<Controller, 'finalizes' | 'kind' | 'owns'>): boolean {
  return controller.finalizes || crossNamespaceKinds(controller).length > 0;
}

/** True where there is something to undo that is no object of the cluster. */
export function isExternal({ name, finalization }: Controller, resource: CustomResource): boolean {
  return callUserCode(name, 'finalization', () => finalization.external(resource));
}

/**
 * Annotation by which a person lets a resource that is being deleted go without the rest of its undoing. Its value is
 * the resource's UID, so that it means nothing on a copy.
 */
export const releaseAnnotation = 'reconstruct.dev/release';

export function isReleased({ metadata }: LiveObject): boolean {
  return metadata.annotations?.[releaseAnnotation] === metadata.uid;
}

/** Milliseconds until a deletion should have come to its end; 0 and less when it is overdue, undefined if there is none. */
export function untilOverdue({ finalization }: Controller, { metadata }: LiveObject, now: number): number | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return Date.parse(metadata.deletionTimestamp) + finalization.deadline - now;
}

/** How a person lets it go. */
export function advice({ metadata }: LiveObject): string {
  return `to let it go without the rest, annotate it with ${releaseAnnotation}=${metadata.uid}`;
}

/**
 * True of a resource that a controller holds. One that never has anything to undo has no right to take a finalizer off: what has
 * its name is somebody else's.
 */
export function hasFinalizer(
  { metadata }: CustomResource,
  controller: Pick<Controller, 'name' | 'finalizes' | 'kind' | 'owns'>,
): boolean {
  return undoes(controller) && (metadata.finalizers?.includes(finalizerOf(controller.name)) ?? false);
}
