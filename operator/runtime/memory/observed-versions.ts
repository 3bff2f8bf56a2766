import type { Stores } from '../cache/stores.js';
import type { Controller } from '../controller/controller.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import type { ObservedDependencies } from './observed-dependencies.js';

/** The version at which an object last changed in what was looked at: its status is, or is not. */
export function versionOf(
  kind: ObjectKind,
  { metadata }: LiveObject,
  { isSeen, stores }: { isSeen: boolean; stores: Stores },
): string | undefined {
  return isSeen ? metadata.resourceVersion : stores.of(kind).contentVersion(keyOf(metadata));
}

/**
 * The versions of the objects that were looked at: of what a resource owns, and of what other controllers made of it, all
 * of which counts as looked at, since hardly any controller sees what another one makes.
 */
export function versionsSeen(
  resource: LiveObject,
  dependencies: ObservedDependencies,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  return [
    dependencies.versionsIn(stores.ownedBy(resource, controller)),
    versionsBeside(resource, { controller, stores }),
    servedIn(dependencies, stores),
  ].join(' ');
}

/** Of the kinds of which that was asked, whether they are served. */
export function servedIn({ served }: ObservedDependencies, stores: Stores): string {
  return [...served].map((kind) => `${groupKindOf(kind)} ${stores.isServed(kind)}`).join(' ');
}

export function versionsBeside(
  resource: LiveObject,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  if (controller.watchesSiblings.length === 0) return '';
  return stores
    .siblings(resource, controller)
    .map(({ object }) => object.metadata.resourceVersion)
    .join(' ');
}

/** Milliseconds after which to look again at what a pass itself has changed. */
export const immediateRecheck = 1;

/**
 * Takes note of the objects that `desire` looked at, before anything is awaited.
 * @returns tells whether they are others by now: what was desired was so of a world that the pass itself has changed, and
 * nobody is woken by what he wrote himself
 */
export function supersession(
  dependencies: ObservedDependencies,
  {
    controller,
    resource,
    stores,
  }: { readonly controller: Controller; readonly resource: LiveObject; readonly stores: Stores },
): () => boolean {
  if (dependencies.kinds.size === 0 && controller.watchesSiblings.length === 0) return () => false;
  const versions = () => versionsSeen(resource, dependencies, { controller, stores });
  const before = versions();
  return () => versions() !== before;
}
