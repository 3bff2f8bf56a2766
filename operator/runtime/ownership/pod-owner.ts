import { hash } from 'node:crypto';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { needsPodOwner, withoutOwnerReference } from '../controller/owned-kinds.js';
import { apiVersionOf, ConfigMap, groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { isDeleting, keyOf, type LiveObject, type ObjectKey, type OwnerReference } from '../kubernetes/object.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { type Desired, describe } from '../rendering/render.js';
import { isOwnedBy } from './ownership-labels.js';

/**
 * The kind of the object that controls Pods without owner reference to their resource. Drains and autoscalers refuse a
 * Pod that no object controls. A workload cannot be the owner, because its controller releases or deletes Pods that it
 * did not create.
 */
export const podOwnerKind = withoutOwnerReference(ConfigMap);
const podOwnerVersion = apiVersionOf(podOwnerKind);

/** What decides the names of pod owners. */
interface Ownership {
  readonly controller: Pick<Controller, 'name'>;
  /** The name of the resource. */
  readonly resource: string;
}

/**
 * Names of the pod owner. The second one is for the time in which an object of the first name is being deleted. They
 * differ between all controllers and resources.
 */
export function podOwnerNames({ controller, resource }: Ownership): readonly string[] {
  const start = resource.slice(0, 200).replace(/[-.]+$/, '');
  return ['', ' again'].map((turn) => {
    const id = hash('sha256', `${controller.name} ${resource}${turn}`, 'hex').slice(0, 10);
    return `${start}-pods-${id}`;
  });
}

/** True for an object that only controls Pods of the resource. */
export function isPodOwner(
  { kind, object }: { readonly kind: ObjectKind; readonly object: LiveObject },
  of: { readonly controller: Pick<Controller, 'name' | 'owns'>; readonly resource: string },
): boolean {
  if (groupKindOf(kind) !== groupKindOf(podOwnerKind) || !of.controller.owns.some(needsPodOwner)) return false;
  return podOwnerNames(of).includes(object.metadata.name);
}

/** Whose pod owners are searched, and where. */
export interface Search {
  readonly controller: Controller;
  readonly resource: CustomResource;
  readonly find: (kind: ObjectKind, key: ObjectKey) => LiveObject | undefined;
}

/** A search in the caches. */
export function searchIn({
  controller,
  resource,
  stores,
}: Pick<Search, 'controller' | 'resource'> & {
  readonly stores: { of(kind: ObjectKind): { get(key: ObjectKey): LiveObject | undefined } };
}): Search {
  return { controller, resource, find: (kind, key) => stores.of(kind).get(key) };
}

/** The pod owner of a resource in a namespace, unless it is being deleted. */
export function podOwnerIn(namespace: string, { controller, resource, find }: Search): LiveObject | undefined {
  return podOwnerNames({ controller, resource: resource.metadata.name })
    .map((name) => find(podOwnerKind, keyOf({ namespace, name })))
    .find((one) => one !== undefined && !isDeleting(one) && isOwnedBy(one, resource));
}

/**
 * The desired objects and, before them, the pod owners that they need: one for each namespace. A pod owner has no owner
 * reference, so the garbage collector does not delete it with its resource. Its finalizer keeps it until its Pods have
 * another one.
 * @throws {Error} if `desire` renders an object of the same name
 */
export function withPodOwners(desired: readonly Desired[], search: Search): Desired[] {
  const pods = desired.filter(({ kind }) => needsPodOwner(kind));
  const namespaces = new Set(pods.map(({ manifest }) => manifest.metadata.namespace ?? ''));
  const owners = [...namespaces].map((namespace) => podOwner(namespace, search));
  const keys = new Set(owners.map(({ key }) => key));
  const twin = desired.find(({ kind, key }) => groupKindOf(kind) === groupKindOf(podOwnerKind) && keys.has(key));
  if (twin) throw new Error(`${search.controller.name} renders ${describe(twin)}, whose name is that of its pod owner`);
  return [...owners, ...desired];
}

function podOwner(namespace: string, search: Search): Desired {
  const { controller, resource } = search;
  const name = freeName(namespace, search);
  const key = keyOf({ namespace, name });
  const metadata = {
    ...{ name, namespace },
    annotations: { [description]: `Controls the Pods of ${controller.kind.kind} ${resource.metadata.name}` },
    finalizers: [finalizerOf(controller.name)],
  };
  const manifest = { apiVersion: podOwnerVersion, kind: podOwnerKind.kind, metadata };
  return { kind: podOwnerKind, key, manifest, wave: first, replace: 'never', once: false, crossNamespace: false };
}

/** @see https://kubernetes.io/docs/reference/labels-annotations-taints/#description */
const description = 'kubernetes.io/description';
/** Before all other waves, because Pods name its UID. */
const first = -1;

function freeName(namespace: string, search: Search): string {
  const [usual = '', other = ''] = podOwnerNames({
    controller: search.controller,
    resource: search.resource.metadata.name,
  });
  const present = podOwnerIn(namespace, search);
  if (present) return present.metadata.name;
  const before = search.find(podOwnerKind, keyOf({ namespace, name: usual }));
  return before && isDeleting(before) ? other : usual;
}

/** The reference by which a pod owner controls a Pod. */
export function podOwnerReference({ metadata: { name, uid } }: LiveObject): OwnerReference {
  return { apiVersion: podOwnerVersion, kind: podOwnerKind.kind, name, uid, controller: true };
}
