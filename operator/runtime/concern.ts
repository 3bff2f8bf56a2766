import { type Controller, type CustomResource, runtimeStatusOf } from './controller.js';
import { hasFinalizer } from './finalizer.js';
import type { Stores } from './stores.js';

/** True of a resource that a controller is there for, or of which it has made or said something that is to go. */
export function isConcerned(
  resource: CustomResource,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): boolean {
  const { concerns, name } = controller;
  if (!concerns || concerns(resource) || hasFinalizer(resource, name)) return true;
  return says(resource, controller) || stores.ownedBy(resource, controller).length > 0;
}

function says(resource: CustomResource, { share }: Controller): boolean {
  const status = runtimeStatusOf(resource);
  const fields = Object.keys(status).filter((field) => field !== 'conditions');
  return fields.some((field) => share.fields.has(field)) || (status.conditions ?? []).some(isOf(share.conditions));
}

function isOf(types: ReadonlySet<string>): (condition: { readonly type: string }) => boolean {
  return ({ type }) => types.has(type);
}
