import { Stores } from '../../operator/runtime/cache/stores.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { crossNamespaceKinds } from '../../operator/runtime/controller/owned-kinds.js';
import { type Read, type Reference, selectorOf } from '../../operator/runtime/controller/reads.js';
import { isNotServed } from '../../operator/runtime/kubernetes/errors.js';
import { distinct, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { controllerLabel } from '../../operator/runtime/kubernetes/well-known-names.js';
import { allPages } from '../../operator/runtime/ports/all-pages.js';
import type { Cluster, ListQuery } from '../../operator/runtime/ports/cluster.js';

/** The controller and the resource that caches are filled for. */
interface Cached {
  readonly controller: Controller;
  readonly resource: CustomResource;
}

/** Fills caches with the objects that the operator would know when a controller reconciles a resource. */
export async function cachesFor({ controller, resource }: Cached, cluster: Cluster): Promise<Stores> {
  const stores = new Stores();
  const { namespace, resourceVersion } = resource.metadata;
  const far = crossNamespaceKinds(controller);
  const made = distinct([...controller.owns, ...controller.watchesSiblings]).map(async (kind) => {
    const items = await labelled(kind, far.includes(kind) ? undefined : namespace, cluster);
    if (items) stores.of(kind).replace(items, resourceVersion, '');
  });
  await Promise.all([...made, fillReads(stores, controller, { resource, cluster })]);
  // Last, because a kind that owns its own kind lists the resource too, in its current state.
  stores.of(controller.kind).told('MODIFIED', resource, '');
  return stores;
}

/** The objects of controllers; undefined for an optional kind that the cluster does not serve. */
function labelled(
  kind: ObjectKind,
  namespace: string | undefined,
  cluster: Cluster,
): Promise<readonly LiveObject[] | undefined> {
  const query = { namespace, labelSelector: controllerLabel };
  return unlessLacking(kind, () => listed(kind, query, cluster));
}

async function listed(kind: ObjectKind, query: ListQuery, cluster: Cluster): Promise<readonly LiveObject[]> {
  const objects: LiveObject[] = [];
  for await (const { items } of allPages({ cluster, kind }, query)) objects.push(...items);
  return objects;
}

async function unlessLacking<T>(kind: ObjectKind, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (kind.optional && isNotServed(error)) return undefined;
    throw error;
  }
}

/** Fills caches with what a controller reads for a resource. */
export async function fillReads(
  stores: Stores,
  { reads }: Controller,
  { resource, cluster }: { readonly resource: CustomResource; readonly cluster: Cluster },
): Promise<void> {
  const filled = Object.values(reads).flatMap((read) =>
    read.refersTo(resource).map(async (reference) => {
      const objects = await unlessLacking(read.kind, () => referred(read, reference, cluster));
      for (const object of objects ?? []) stores.read(read.kind).told('ADDED', object, '');
    }),
  );
  await Promise.all(filled);
}

async function referred({ kind }: Read, reference: Reference, cluster: Cluster): Promise<readonly LiveObject[]> {
  if ('name' in reference) {
    const object = await cluster.read(kind, reference);
    return object ? [object] : [];
  }
  // No selector of the API server finds them, so the store's index does.
  if ('value' in reference) return listed(kind, {}, cluster);
  const { namespace, labels } = reference;
  return listed(kind, { namespace, labelSelector: selectorOf(labels) }, cluster);
}
