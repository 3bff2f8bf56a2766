import type { CustomResource, Facts, Outcome } from './controller.js';
import { distantKinds } from './distant.js';
import type { ObjectKind } from './kinds.js';
import type { AcceptedSpec } from './last-accepted.js';
import { keyOf } from './object.js';
import { ownedOf } from './owned.js';
import { placeOf, recordedOf, union } from './recorded.js';
import type { Desired } from './render.js';
import type { Kept } from './stores.js';
import type { View } from './workplace.js';

/** What there is to see, by `assess` too. */
type Looked = Facts & Pick<Outcome, 'leaving'>;

/**
 * What is known of a resource now, from the caches.
 * @param desired what to see of what it owns. @default - all of it
 */
export function look(
  resource: CustomResource,
  { controller, stores, clock, reads, asked, accepted }: View,
  desired?: readonly Desired[],
): Looked {
  const wanted = desired && new Set(desired.map(placeOf));
  const isWanted = ({ kind, object }: Kept) => wanted?.has(placeOf({ kind, key: keyOf(object.metadata) })) ?? true;
  const recorded = recordedOf(resource, distantKinds(controller));
  const made = desired?.filter(({ distant }) => distant) ?? [];
  const all = stores.ownedBy(resource, controller, union(recorded, made));
  const owned = all.filter(isWanted);
  const leaving = owned.length === all.length ? [] : all.filter((one) => !isWanted(one));
  const seen = accepted ? asAccepted(resource, accepted) : resource;
  const beside = ownedOf(stores.beside(resource, controller));
  const isServed = (kind: ObjectKind) => stores.isServed(kind);
  const world = { owned: ownedOf(owned), leaving: ownedOf(leaving), beside, isServed, reads, gathered: asked.answers };
  return { resource: seen, ...world, now: new Date(clock.now()) };
}

/** A resource as it was when its spec was accepted last, but for its status. */
export function asAccepted(resource: CustomResource, { generation, spec }: AcceptedSpec): CustomResource {
  const metadata = Object.freeze({ ...resource.metadata, generation });
  return Object.freeze({ ...resource, metadata, spec });
}
