import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, leaving } from '../controller/blocker.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject } from '../kubernetes/object.js';
import { adoptAnnotation } from '../kubernetes/well-known-names.js';
import { mayTake, ownerAnnotationOf } from '../ownership/ownership-labels.js';
import { type Desired, describe } from '../rendering/render.js';

/** Milliseconds until a name that another owner's object has is tried again. That object is not watched. */
const conflictRecheck = 30_000;

/** A controller and its resource. */
type Owner = Pick<ReconcileContext, 'controller' | 'resource'>;

/** True if a reconcile may change the object: the resource owns it, or a person has handed it over. */
function isOurs({ crossNamespace }: Desired, live: LiveObject, owner: Owner): boolean {
  const { controller, resource } = owner;
  const by = { controller: controller.name, kind: controller.kind, owner: resource };
  const isOwn = mayTake(live, by, crossNamespace);
  return isOwn || isHandedOver(live, owner);
}

/**
 * A person has annotated the object to hand it over to this resource. An object of another controller stays with it.
 */
function isHandedOver(live: LiveObject, { resource }: Owner): boolean {
  return (
    !controllerOf(live) &&
    !ownerAnnotationOf(live) &&
    live.metadata.annotations?.[adoptAnnotation] === keyOf(resource.metadata)
  );
}

/** The blocker that an object of another owner means for the resource that desires its name. Undefined for its own. */
export function othersObject(desired: Desired, live: LiveObject, owner: Owner): Blocker | undefined {
  if (isOurs(desired, live, owner)) return undefined;
  const { controller, resource } = owner;
  const other = controllerOf(live);
  const { kind } = controller;
  // The object of an earlier resource of this name. The garbage collector deletes it, a person deletes it, or finally
  // this operator does, see `GarbageCollection`.
  const predecessor =
    other?.kind === kind.kind && other.apiVersion === apiVersionOf(kind) && other.name === resource.metadata.name;
  if (predecessor) return leaving(`${describe(desired)} belongs to an earlier ${kind.kind} ${other.name}`);
  const claim = ownerAnnotationOf(live);
  const holder = other
    ? `is controlled by ${other.kind} ${other.name}`
    : claim
      ? `belongs to ${claim.kind} ${claim.key}`
      : `was not created by this ${kind.kind}: delete it, or annotate it with ${adoptAnnotation}=${keyOf(resource.metadata)}`;
  return { reason: 'NotOwned', message: `${describe(desired)} ${holder}`, requeueAfter: conflictRecheck };
}
