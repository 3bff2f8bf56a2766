import { Stores } from '../../operator/runtime/cache/stores.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { distinct, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, nameOf } from '../../operator/runtime/kubernetes/object.js';
import { controllerLabel } from '../../operator/runtime/kubernetes/well-known-names.js';
import { inventoryEntriesOf, placeOf } from '../../operator/runtime/ownership/inventory.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import type { Desired } from '../../operator/runtime/rendering/render.js';
import { kindPosition } from '../../operator/runtime/rendering/waves.js';
import { desiredObjects } from './desired-objects.js';
import { type Health, healthOf } from './health.js';
import { listedIfAllowed } from './listed-resources.js';

/** An object of a resource. */
export interface ShownObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly health: Health;
  /** RFC 3339. Undefined for an object that is missing. */
  readonly created?: string;
}

/** The objects of a resource. */
export interface FoundObjects {
  /** In the order of their waves, and by age within a wave. */
  readonly shown: readonly ShownObject[];
  readonly live: readonly LiveObject[];
}

/** Where objects are looked up. */
export interface Place {
  readonly cluster: Cluster;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Why some objects are not shown. */
  readonly notes: string[];
}

/** Distance between the waves of two kinds, as in a rendering. */
const stride = 1000;

/**
 * The objects that the controllers of a resource created, and those that they desire and that are missing. Objects of a
 * kind that the user may not list are left out with a note.
 */
export async function objectsOf(
  resource: CustomResource,
  controllers: readonly Controller[],
  place: Place,
): Promise<FoundObjects> {
  const kinds = distinct(controllers.flatMap(({ owns, watchesSiblings }) => [...owns, ...watchesSiblings]));
  const { stores, hidden } = await storesOf(resource, kinds, place);
  const kept = controllers.flatMap((controller) => stores.ownedBy(resource, controller));
  const owned = new Map(kept.map((one) => [placeOf({ kind: one.kind, key: keyOf(one.object.metadata) }), one]));
  const seen = { resource, stores, cluster: place.cluster, now: place.now };
  const rendered = await Promise.all(controllers.map((controller) => desiredObjects(controller, seen)));
  const desired = rendered.flatMap((objects) => objects ?? []).filter(({ kind }) => !hidden.has(kind.kind));
  const waves = new Map(desired.map((one) => [placeOf(one), one.wave]));
  const missing = desired.filter((one) => !owned.has(placeOf(one)));
  const rows = [
    ...[...owned].map(([at, { kind, object }]) => ({
      wave: waves.get(at) ?? stride * kindPosition(kind),
      object: shownObject(object),
    })),
    ...(await Promise.all(missing.map((one) => absent(one, place)))).flat(),
  ];
  const order = ({ object: { created = '9', kind, name } }: (typeof rows)[number]) => `${created} ${kind} ${name}`;
  const shown = rows.toSorted((a, b) => a.wave - b.wave || (order(a) < order(b) ? -1 : 1)).map(({ object }) => object);
  return { shown, live: [...owned.values()].map(({ object }) => object) };
}

interface FilledStores {
  readonly stores: Stores;
  /** Kinds that could not be listed, whose objects must not count as missing. */
  readonly hidden: ReadonlySet<string>;
}

/** Lists the namespace of the resource, and reads what its inventory names elsewhere. */
async function storesOf(
  resource: CustomResource,
  kinds: readonly ObjectKind[],
  { cluster, notes }: Place,
): Promise<FilledStores> {
  const stores = new Stores();
  const hidden = new Set<string>();
  const { namespace, resourceVersion } = resource.metadata;
  const near = kinds.map(async (kind) => {
    const own: string[] = [];
    const query = { namespace: kind.namespaced ? namespace : undefined, labelSelector: controllerLabel, notes: own };
    const items = await listedIfAllowed<LiveObject>(cluster, kind, query);
    if (own.length === 0) return stores.of(kind).replace(items, resourceVersion, '');
    hidden.add(kind.kind);
    if (!kind.optional) notes.push(...own);
  });
  await Promise.all(near);
  const far = inventoryEntriesOf(resource, kinds).map(async ({ kind, key }) => {
    const object = await readIfAllowed(cluster, kind, key);
    if (object) stores.of(kind).told('ADDED', object, '');
  });
  await Promise.all(far);
  return { stores, hidden };
}

async function readIfAllowed(cluster: Cluster, kind: ObjectKind, key: string): Promise<LiveObject | undefined> {
  try {
    return await cluster.read(kind, nameOf(key));
  } catch (error) {
    if (isApiError(error, 'Forbidden', 'NotFound')) return undefined;
    throw error;
  }
}

/** A desired object that the resource does not own. The object may exist and belong to another owner. */
async function absent(
  { kind, key, wave }: Desired,
  { cluster }: Place,
): Promise<readonly { readonly wave: number; readonly object: ShownObject }[]> {
  try {
    const live = await cluster.read(kind, nameOf(key));
    const health: Health = live
      ? { state: 'NotReady', message: 'It belongs to another owner' }
      : { state: 'Missing', message: 'The operator has not created it' };
    return [{ wave, object: { kind: kind.kind, ...nameOf(key), health } }];
  } catch (error) {
    if (isApiError(error, 'Forbidden', 'NotFound')) return [];
    throw error;
  }
}

function shownObject(object: LiveObject): ShownObject {
  const { namespace, name, creationTimestamp: created } = object.metadata;
  const at = { ...(namespace !== undefined && { namespace }), name, ...(created !== undefined && { created }) };
  return { kind: object.kind, ...at, health: healthOf(object) };
}
