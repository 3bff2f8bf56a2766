import type { Controller } from './controller.js';
import { groupKindOf, type ObjectKind } from './kinds.js';
import { keyOf, type LiveObject } from './object.js';
import type { Sight } from './sight.js';
import type { Stores } from './stores.js';

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
  sight: Sight,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  return [
    sight.versionsIn(stores.ownedBy(resource, controller)),
    versionsBeside(resource, { controller, stores }),
    servedIn(sight, stores),
  ].join(' ');
}

/** Of the kinds of which that was asked, whether they are served. */
export function servedIn({ served }: Sight, stores: Stores): string {
  return [...served].map((kind) => `${groupKindOf(kind)} ${stores.isServed(kind)}`).join(' ');
}

export function versionsBeside(
  resource: LiveObject,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): string {
  if (controller.sees.length === 0) return '';
  return stores
    .beside(resource, controller)
    .map(({ object }) => object.metadata.resourceVersion)
    .join(' ');
}
