import { ConfigMap, groupKindOf, includes, type ObjectKind, Pod } from '../kubernetes/kinds.js';
import { kindsRead, type Reads } from './reads.js';

interface Reaching {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
}

/**
 * A kind for which `desire` may render objects into other namespaces than the resource's own. Cluster-scoped kinds do
 * not need it.
 *
 * An owner reference does not reach that far. So the runtime keeps an inventory of these objects on the resource, and a
 * finalizer while any of them exist.
 *
 * @example owns: [Deployment, ClusterRole, crossNamespace(NetworkPolicy)]
 */
export function crossNamespace<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, crossNamespace: true });
}

const none: readonly ObjectKind[] = Object.freeze([]);
const found = new WeakMap<readonly ObjectKind[], readonly ObjectKind[]>();

/**
 * The kinds whose objects may be where no owner reference of the resource reaches. Every event needs the list, so it is
 * computed once.
 */
export function crossNamespaceKinds({ kind, owns }: Reaching): readonly ObjectKind[] {
  if (!kind.namespaced) return none; // a cluster-scoped resource may own objects anywhere
  const known = found.get(owns);
  if (known) return known;
  const crossNamespace = owns.filter((owned) => owned.crossNamespace || !owned.namespaced);
  found.set(owns, crossNamespace);
  return crossNamespace;
}

/**
 * Refuses a scope that is too narrow. A controller that creates objects outside of its resources' namespaces, or that
 * needs cluster-scoped objects, must watch all namespaces.
 * @throws {Error} if only some namespaces are watched
 */
export function refuseNarrowScope(
  controller: Reaching & { readonly name: string; readonly reads?: Reads },
  namespaces: readonly string[],
): void {
  if (namespaces.length === 0) return;
  const watched = `${namespaces.join(', ')} ${namespaces.length > 1 ? 'are' : 'is'} watched`;
  const made = crossNamespaceKinds(controller).map(groupKindOf);
  if (made.length > 0) {
    const what = `creates ${made.join(' and ')} outside of its resources' namespaces`;
    throw new Error(`controller ${controller.name} ${what}, but only ${watched}: watch all namespaces`);
  }
  const needed = kindsRead([{ reads: controller.reads ?? {} }]).filter((kind) => !kind.namespaced && !kind.optional);
  if (needed.length > 0) {
    const what = `reads ${needed.map(groupKindOf).join(' and ')}, which is cluster-scoped`;
    throw new Error(
      `controller ${controller.name} ${what}, but only ${watched}: watch all namespaces, or read it as optional`,
    );
  }
}

/**
 * A kind whose objects several resources of a namespace own together. Each resource that desires such an object is
 * among its owners, and no owner is its controller. The object is deleted with its last owner. All owners must desire
 * the same content, so it must not depend on a single resource.
 *
 * @example owns: [Deployment, shared(Gateway)]
 */
export function shared<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, shared: true });
}

/**
 * A kind whose objects hold data, so that the garbage collector must not delete them with their resource. An annotation
 * names the owner in place of an owner reference. So a foreground deletion, in which the garbage collector deletes
 * dependents before finalizers run, does not reach them. The controller must set `finalizes`: what it does not delete
 * itself stays. Pods are controlled by a ConfigMap that the runtime creates, so that nodes can be drained.
 *
 * @example owns: [Service, withoutOwnerReference(PersistentVolumeClaim)]
 */
export function withoutOwnerReference<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, withoutOwnerReference: true });
}

/** True for Pods that an object of the runtime controls in place of their resource. */
export function needsPodOwner(kind: ObjectKind): boolean {
  return kind.withoutOwnerReference === true && groupKindOf(kind) === groupKindOf(Pod);
}

/** The kinds that a controller owns, including the one that controls its Pods. */
export function withPodOwnerKind(owns: readonly ObjectKind[]): readonly ObjectKind[] {
  if (!owns.some(needsPodOwner) || includes(owns, ConfigMap)) return owns;
  return Object.freeze([...owns, withoutOwnerReference(ConfigMap)]);
}
