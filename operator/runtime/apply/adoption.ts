import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, leaving } from '../controller/blocker.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject } from '../kubernetes/object.js';
import { adoptAnnotation } from '../kubernetes/well-known-names.js';
import { ownerAnnotationOf } from '../ownership/owner-annotation.js';
import { isClaimedFor, isControlledByNameOf, isOrphanOf, isOwnedBy } from '../ownership/ownership-labels.js';
import { type Desired, describe } from '../rendering/render.js';

/** Milliseconds until a name that somebody else holds is tried again: his object is not watched. */
const conflictRecheck = 30_000;

/** True of an object that a pass may change: the resource's own, or one that is handed to it. */
export function isOurs({ crossNamespace }: Desired, live: LiveObject, context: ReconcileContext): boolean {
  const { controller, resource } = context;
  const isOwn = crossNamespace
    ? isClaimedFor(live, controller.kind, resource)
    : isOwnedBy(live, resource) ||
      isOrphanOf(live, controller.name) ||
      isControlledByNameOf(live, controller.kind, resource);
  return isOwn || isHandedOver(live, context);
}

/** A person said, on the object itself, that this resource may have it. Another controller's object stays its own. */
function isHandedOver(live: LiveObject, { resource }: ReconcileContext): boolean {
  return (
    !controllerOf(live) &&
    !ownerAnnotationOf(live) &&
    live.metadata.annotations?.[adoptAnnotation] === keyOf(resource.metadata)
  );
}

/** What an object that is not ours means for the resource that wants its name. */
export function othersObject(desired: Desired, live: LiveObject, { controller, resource }: ReconcileContext): Blocker {
  const other = controllerOf(live);
  const { kind } = controller;
  // What an earlier resource of our name left: the garbage collector takes it, a person who deletes without it, or in the
  // end this operator, see `GarbageCollection`.
  const predecessor =
    other?.kind === kind.kind && other.apiVersion === apiVersionOf(kind) && other.name === resource.metadata.name;
  if (predecessor) return leaving(`${describe(desired)} belongs to an earlier ${kind.kind} ${other.name}`);
  const claim = ownerAnnotationOf(live);
  const holder = other
    ? `is controlled by ${other.kind} ${other.name}`
    : claim
      ? `belongs to ${claim.kind} ${claim.key}`
      : `was not made by this ${kind.kind}: delete it, or annotate it with ${adoptAnnotation}=${keyOf(resource.metadata)}`;
  return { reason: 'NotOwned', message: `${describe(desired)} ${holder}`, requeueAfter: conflictRecheck };
}
