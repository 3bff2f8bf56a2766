import { groupKindOf, type ObjectKind } from './kinds.js';

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
export function distant<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, distant: true });
}

/** The kinds whose objects may be where no owner reference of the resource reaches. */
export function distantKinds({ kind, owns }: Reaching): readonly ObjectKind[] {
  if (!kind.namespaced) return []; // what is in no namespace may own whatever there is
  return owns.filter((owned) => owned.distant || !owned.namespaced);
}

/**
 * A controller that makes something outside of its resources' namespaces must see all of them.
 * @throws {Error} when only some are watched
 */
export function refuseNarrow(controller: Reaching & { readonly name: string }, namespaces: readonly string[]): void {
  const kinds = distantKinds(controller).map(groupKindOf);
  if (namespaces.length === 0 || kinds.length === 0) return;
  throw new Error(
    `controller ${controller.name} makes ${kinds.join(' and ')} outside of its resources' namespaces, ` +
      `but only ${namespaces.join(', ')} ${namespaces.length > 1 ? 'are' : 'is'} watched: watch all namespaces`,
  );
}
