import { type Controller, type CustomResource, runtimeStatusOf } from './controller.js';
import { hasFinalizer } from './finalizer.js';
import { isPartial } from './partial.js';
import type { Stores } from './stores.js';

/** True of a resource that a controller is there for, or of which it has made or said something that is to go. */
export function isConcerned(
  resource: CustomResource,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): boolean {
  const { concerns } = controller;
  // Of one that is kept in part nobody can tell: its pass says why.
  if (!concerns || isPartial(resource) || hasFinalizer(resource, controller)) return true;
  try {
    if (concerns(resource)) return true;
  } catch {
    return true; // its pass meets the same, and tells
  }
  return says(resource, controller) || stores.hasOwned(resource, controller);
}

/** Asked of every event, of each controller that leads nothing: without a list of anything. */
function says(resource: CustomResource, { share }: Controller): boolean {
  const status = runtimeStatusOf(resource);
  for (const field in status) if (field !== 'conditions' && share.fields.has(field)) return true;
  for (const { type } of status.conditions ?? []) if (share.conditions.has(type)) return true;
  return false;
}
