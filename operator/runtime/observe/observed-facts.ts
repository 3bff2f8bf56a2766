import type { Kept } from '../cache/stores.js';
import type { Observation } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Facts, Outcome } from '../controller/facts.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { ownedOf } from '../controller/owned-objects.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { keyOf } from '../kubernetes/object.js';
import type { AcceptedSpec } from '../memory/last-accepted-specs.js';
import { inventoryEntriesOf, placeOf, union } from '../ownership/inventory.js';
import { isPodOwner } from '../ownership/pod-owner.js';
import type { Desired } from '../rendering/render.js';

/** The facts, including those for `assess`. */
type Looked = Facts & Pick<Outcome, 'pruning'>;

/**
 * The facts about a resource now, from the caches. They do not show pod owners, which only the runtime knows.
 * @param shown which owned objects to show. @default - all of them
 */
export function observedFacts(
  resource: CustomResource,
  { controller, stores, clock, reads, external, accepted }: Observation,
  shown?: { readonly desired: readonly Desired[]; readonly held: readonly Kept[] },
): Looked {
  const { desired } = shown ?? {};
  const held = shown?.held.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) })) ?? [];
  const wanted = desired && new Set([...desired, ...held].map(placeOf));
  const isWanted = ({ kind, object }: Kept) => wanted?.has(placeOf({ kind, key: keyOf(object.metadata) })) ?? true;
  const recorded = inventoryEntriesOf(resource, crossNamespaceKinds(controller));
  const made = desired?.filter(({ crossNamespace }) => crossNamespace) ?? [];
  const of = { controller, resource: resource.metadata.name };
  const all = stores.ownedBy(resource, controller, union(recorded, made)).filter((one) => !isPodOwner(one, of));
  const owned = all.filter(isWanted);
  const leaving = owned.length === all.length ? [] : all.filter((one) => !isWanted(one));
  const seen = accepted ? asAccepted(resource, accepted) : resource;
  const siblings = ownedOf(stores.siblings(resource, controller));
  const isServed = (kind: ObjectKind) => stores.isServed(kind);
  const world = {
    owned: ownedOf(owned),
    pruning: ownedOf(leaving),
    siblings,
    isServed,
    reads,
    polled: external.answers,
  };
  return { resource: seen, ...world, now: new Date(clock.now()) };
}

/** A resource with its last accepted spec and its current status. */
export function asAccepted(resource: CustomResource, { generation, spec }: AcceptedSpec): CustomResource {
  const metadata = Object.freeze({ ...resource.metadata, generation });
  return Object.freeze({ ...resource, metadata, spec });
}
