import type { Stores } from '../cache/stores.js';
import { allInParallel } from '../concurrency/parallel.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import {
  type Found,
  foundBy,
  hasLabels,
  type Labels,
  type Read,
  type Reference,
  selectorOf,
} from '../controller/reads.js';
import { callUserCode } from '../controller/user-code.js';
import { keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { allPages } from '../ports/all-pages.js';
import type { CallOptions, Cluster } from '../ports/cluster.js';

/** What reading needs, for one resource in one reconcile. */
export interface ReferenceContext {
  readonly controller: Controller;
  readonly cluster: Cluster;
  readonly stores: Stores;
}

/** The references of a resource whose controller has no `reads`. */
export const nothingRead: Found = Object.freeze({});

/**
 * The objects that a resource refers to, from the caches. If no resource referred to an object before, the caches hold
 * only its metadata, and it is read once.
 */
export async function referencedObjects(
  resource: CustomResource,
  context: ReferenceContext & { readonly accepted?: CustomResource | undefined },
  options: CallOptions,
): Promise<Found> {
  const { accepted, controller, stores } = context;
  const reads = Object.entries(controller.reads);
  if (reads.length === 0) return nothingRead;
  stores.reading(controller).follow(resource, ...(accepted ? [accepted] : []));
  const looked = accepted ?? resource;
  const found = reads.map(async ([name, read]) => [name, await seen(read, looked, { ...context, options })] as const);
  return Object.freeze(Object.fromEntries(await Promise.all(found)));
}

interface Looking extends ReferenceContext {
  readonly options: CallOptions;
}

async function seen(read: Read, resource: CustomResource, looking: Looking): Promise<unknown> {
  const { name } = looking.controller;
  const references = callUserCode(name, 'reads', () => read.refersTo(resource));
  // An object that is named a thousand times is looked up once.
  const keys = references.map((reference) => JSON.stringify(reference));
  const distinct = new Map(references.map((reference, index) => [keys[index], reference]));
  const found = await allInParallel([...distinct], async ([key, reference]) => {
    return [key, await lookUp(read, reference, looking)] as const;
  });
  const objects = new Map(found);
  const inOrder = keys.map((key) => objects.get(key) ?? []);
  return callUserCode(name, 'reads', () => foundBy(read, inOrder));
}

/** @throws {Error} if the objects of the kind are not known, because they must not count as absent */
async function lookUp(read: Read, reference: Reference, looking: Looking): Promise<readonly LiveObject[]> {
  const { kind, indexFunc } = read;
  const namespace = 'value' in reference ? undefined : reference.namespace;
  const { stores } = looking;
  const watched = namespace === undefined ? undefined : stores.watched.namespacesBeside(stores.read(kind), namespace);
  if (watched && kind.optional) return [];
  if (watched) {
    const what = 'name' in reference ? `${kind.kind} ${keyOf(reference)}` : `the ${kind.plural} of ${namespace}`;
    throw new Error(
      `the operator watches only ${watched.length > 1 ? 'namespaces' : 'namespace'} ${watched.join(', ')} (--namespaces); it cannot read ${what}: add the namespace ${namespace} to --namespaces`,
    );
  }
  if (!stores.watched.isKnown(stores.read(kind), namespace)) {
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    throw new Error(`the ${kind.plural}${where} are not known: grant the operator permission to list them there`);
  }
  if ('value' in reference) return indexFunc ? stores.read(kind).byIndex(indexFunc, reference.value) : [];
  return 'name' in reference ? named(read, reference, looking) : labelled(read, reference, looking);
}

async function named(
  { kind }: Read,
  name: { readonly namespace: string; readonly name: string },
  { cluster, stores, options }: Looking,
): Promise<readonly LiveObject[]> {
  const store = stores.read(kind);
  const kept = store.get(keyOf(name));
  if (!kept || !isPartial(kept)) return kept ? [kept] : [];
  const whole = await cluster.read(kind, name, options);
  return whole ? [store.completed(whole)] : [];
}

async function labelled(
  { kind }: Read,
  { namespace, labels }: { readonly namespace: string; readonly labels: Labels },
  { cluster, stores, options }: Looking,
): Promise<readonly LiveObject[]> {
  const store = stores.read(kind);
  const matching = () => store.within(namespace).filter((object) => hasLabels(object, labels));
  const kept = matching();
  if (!kept.some(isPartial)) return kept;
  const query = { namespace, labelSelector: selectorOf(labels), ...options };
  const listed = new Map<ObjectKey, LiveObject>();
  for await (const { items } of allPages({ cluster, kind }, query))
    for (const item of items) listed.set(keyOf(item.metadata), store.completed(item));
  // The part of an object that has changed since the list stays in the store. Its event causes another reconcile, but it
  // must not count as absent in this one.
  return matching().flatMap((object) => (isPartial(object) ? (listed.get(keyOf(object.metadata)) ?? []) : [object]));
}
