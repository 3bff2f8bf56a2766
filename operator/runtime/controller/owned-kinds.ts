import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { kindsRead, type Reads } from './reads.js';

interface Reaching {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
}

/**
 * A kind whose objects `desire` may render into other namespaces than the resource's own too. Kinds that are in no
 * namespace need no such word.
 *
 * An owner reference does not reach that far, so the runtime keeps the list of these objects on the resource, and a
 * finalizer while there are any.
 *
 * @example owns: [Deployment, ClusterRole, distant(NetworkPolicy)]
 */
export function crossNamespace<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, crossNamespace: true });
}

const none: readonly ObjectKind[] = Object.freeze([]);
const found = new WeakMap<readonly ObjectKind[], readonly ObjectKind[]>();

/** The kinds whose objects may be where no owner reference of the resource reaches. Every event asks, so each list is made once. */
export function crossNamespaceKinds({ kind, owns }: Reaching): readonly ObjectKind[] {
  if (!kind.namespaced) return none; // what is in no namespace may own whatever there is
  const known = found.get(owns);
  if (known) return known;
  const crossNamespace = owns.filter((owned) => owned.crossNamespace || !owned.namespaced);
  found.set(owns, crossNamespace);
  return crossNamespace;
}

/**
 * A controller that makes something outside of its resources' namespaces, or cannot do without what is in none, must see
 * all of them.
 * @throws {Error} when only some are watched
 */
export function refuseNarrowScope(
  controller: Reaching & { readonly name: string; readonly reads?: Reads },
  namespaces: readonly string[],
): void {
  if (namespaces.length === 0) return;
  const watched = `${namespaces.join(', ')} ${namespaces.length > 1 ? 'are' : 'is'} watched`;
  const made = crossNamespaceKinds(controller).map(groupKindOf);
  if (made.length > 0) {
    const what = `makes ${made.join(' and ')} outside of its resources' namespaces`;
    throw new Error(`controller ${controller.name} ${what}, but only ${watched}: watch all namespaces`);
  }
  const needed = kindsRead([{ reads: controller.reads ?? {} }]).filter((kind) => !kind.namespaced && !kind.optional);
  if (needed.length > 0) {
    const what = `reads ${needed.map(groupKindOf).join(' and ')}, which is in no namespace`;
    throw new Error(
      `controller ${controller.name} ${what}, but only ${watched}: watch all namespaces, or read it as optional`,
    );
  }
}

/**
 * A kind whose objects several resources of a namespace own together: each that wants one is among its owners, nobody
 * controls it, and it goes with the last. All must want the same of it, so it follows from nothing that is one's own.
 *
 * @example owns: [Deployment, shared(Gateway)]
 */
export function shared<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, shared: true });
}

/**
 * A kind whose objects the garbage collector must not take with their resource: what holds data. Whose they are stands
 * in an annotation in place of the owner reference, so a deletion in the foreground, which has the collector take
 * everything before any finalizer has done its work, does not reach them. The controller must finalize: what it does not
 * take away itself stays.
 *
 * @example owns: [Service, untied(PersistentVolumeClaim)]
 */
export function withoutOwnerReference<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, withoutOwnerReference: true });
}
