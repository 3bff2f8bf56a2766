import type { Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import type { ObservedDependencies } from './observed-dependencies.js';

/** The version at which an object last changed in what was read, with or without its status. */
export function versionOf(
  kind: ObjectKind,
  { metadata }: LiveObject,
  { isSeen, stores }: { isSeen: boolean; stores: Stores },
): string | undefined {
  return isSeen ? metadata.resourceVersion : stores.of(kind).contentVersion(keyOf(metadata));
}

/** The versions of the objects that were read: owned objects, and objects of sibling controllers. */
export function versionsSeen(
  resource: LiveObject,
  dependencies: ObservedDependencies,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  return [
    dependencies.versionsIn(stores.ownedBy(resource, controller)),
    versionsBeside(resource, dependencies, { controller, stores }),
    servedIn(dependencies, stores),
  ].join(' ');
}

/** Whether the kinds in question are served. */
export function servedIn({ served }: ObservedDependencies, stores: Stores): string {
  return [...served].map((kind) => `${groupKindOf(kind)} ${stores.isServed(kind)}`).join(' ');
}

/** The versions of the objects of sibling controllers that were read. */
export function versionsBeside(
  resource: LiveObject,
  dependencies: ObservedDependencies,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  if (dependencies.siblingKinds.size === 0) return '';
  return stores
    .siblings(resource, controller)
    .filter(({ kind }) => dependencies.includesSibling(kind))
    .map(({ object }) => object.metadata.resourceVersion)
    .join(' ');
}

/** Milliseconds until the next reconcile if a reconcile has changed what it read. */
export const immediateRecheck = 1;

/**
 * Records the owned objects that `desire` read, before anything is awaited.
 * @returns a function that reports whether they have changed since. The desired state was then based on objects that
 * the reconcile itself has changed, and own writes trigger no event
 */
export function supersession(
  dependencies: ObservedDependencies,
  {
    controller,
    resource,
    stores,
  }: { readonly controller: Controller; readonly resource: LiveObject; readonly stores: Stores },
): () => boolean {
  if (dependencies.kinds.size === 0 && dependencies.siblingKinds.size === 0) return () => false;
  const versions = () => versionsSeen(resource, dependencies, { controller, stores });
  const before = versions();
  return () => versions() !== before;
}
