import type { Cluster } from '../../operator/runtime/cluster.js';
import type { Controller, CustomResource } from '../../operator/runtime/controller.js';
import { distantKinds } from '../../operator/runtime/distant.js';
import { controllerLabel } from '../../operator/runtime/inventory.js';
import type { LiveObject } from '../../operator/runtime/object.js';
import { type Read, type Reference, selectorOf } from '../../operator/runtime/reads.js';
import { Stores } from '../../operator/runtime/stores.js';

/** What the operator would know when it looks at one resource. */
export async function cachesFor(controller: Controller, resource: CustomResource, cluster: Cluster): Promise<Stores> {
  const stores = new Stores();
  const { namespace, resourceVersion } = resource.metadata;
  const far = distantKinds(controller);
  const owned = controller.owns.map(async (kind) => {
    const scope = far.includes(kind) ? undefined : namespace;
    const { items } = await cluster.list(kind, { namespace: scope, labelSelector: controllerLabel });
    stores.of(kind).replace(items, resourceVersion, '');
  });
  await Promise.all([...owned, fillReads(stores, controller, { resource, cluster })]);
  // The last one: of a kind that owns its own kind it is among the owned ones, but not as it would be.
  stores.of(controller.kind).told('MODIFIED', resource, '');
  return stores;
}

async function fillReads(
  stores: Stores,
  { reads }: Controller,
  { resource, cluster }: { readonly resource: CustomResource; readonly cluster: Cluster },
): Promise<void> {
  const filled = Object.values(reads).flatMap((read) =>
    read.refersTo(resource).map(async (reference) => {
      for (const object of await referred(read, reference, cluster)) stores.read(read.kind).told('ADDED', object, '');
    }),
  );
  await Promise.all(filled);
}

async function referred({ kind }: Read, reference: Reference, cluster: Cluster): Promise<readonly LiveObject[]> {
  if ('name' in reference) {
    const object = await cluster.read(kind, reference);
    return object ? [object] : [];
  }
  const { namespace, labels } = reference;
  return (await cluster.list(kind, { namespace, labelSelector: selectorOf(labels) })).items;
}
