import { ConfigMap, groupKindOf, includes, type ObjectKind, type OtherNamespaces, Pod } from '../kubernetes/kinds.js';
import { kindsRead, type Reads } from './reads.js';

interface Reaching {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
}

/**
 * A kind whose objects may be in other namespaces than the resource's own: in `owns`, `desire` may render objects into
 * them, and in `reads`, references may name them. Cluster-scoped kinds and controllers of cluster-scoped kinds do not
 * need it.
 *
 * An operator that watches only some namespaces must watch these too, otherwise it refuses to start. An owner reference
 * does not reach that far. So the runtime keeps an inventory of owned objects on the resource, and a finalizer while any
 * of them exist.
 *
 * @param namespaces the other namespaces. With `watched`, only for `reads`, a resource that names another namespace than
 * the operator watches reports that the object cannot be read. If the kind is `optional` too, the read finds nothing. @default - any: the operator must watch all namespaces
 * @example owns: [Deployment, ClusterRole, crossNamespace(NetworkPolicy)]
 * @example reads: ({ named }) => ({ ca: named(crossNamespace(Secret, ['vault']), () => ({ namespace: 'vault', name: 'ca' })) })
 */
export function crossNamespace<K extends ObjectKind>(kind: K, namespaces?: OtherNamespaces): K {
  return Object.freeze({ ...kind, crossNamespace: true, ...(namespaces && { namespaces }) });
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
 * Refuses a scope that is too narrow. A controller that creates or reads objects outside of its resources' namespaces
 * must watch the namespaces of these objects, and one that needs cluster-scoped objects must watch all namespaces.
 * @throws {Error} if these namespaces are not watched
 */
export function refuseNarrowScope(
  controller: Reaching & { readonly name: string; readonly reads?: Reads },
  namespaces: readonly string[],
): void {
  if (namespaces.length === 0) return;
  const { name, reads = {} } = controller;
  const watched = `${namespaces.join(', ')} ${namespaces.length > 1 ? 'are' : 'is'} watched`;
  const refuse = (what: string, todo: string) => new Error(`controller ${name} ${what}, but only ${watched}: ${todo}`);
  const made = crossNamespaceKinds(controller).filter((kind) => isBeyond(kind, namespaces));
  if (made.length > 0)
    throw refuse(
      `creates ${made.map(groupKindOf).join(' and ')} outside of its resources' namespaces`,
      remedyFor(made, namespaces),
    );
  const isFar = (kind: ObjectKind) => kind.namespaced && kind.crossNamespace && isBeyond(kind, namespaces);
  const read = Object.entries(reads).find(([, { kind }]) => isFar(kind));
  if (read && controller.kind.namespaced) {
    const [name, { kind }] = read;
    const missing = unwatched(kind, namespaces);
    const where = missing
      ? `${missing.length > 1 ? 'namespaces' : 'namespace'} ${missing.join(', ')}`
      : 'other namespaces';
    throw refuse(`reads ${groupKindOf(kind)} in ${where} (reads.${name})`, remedyFor([kind], namespaces));
  }
  const needed = kindsRead([{ reads }]).filter((kind) => !kind.namespaced && !kind.optional);
  if (needed.length > 0)
    throw refuse(
      `reads ${needed.map(groupKindOf).join(' and ')}, which is cluster-scoped`,
      'watch all namespaces, or read it as optional',
    );
}

/** The named namespaces of a kind's objects that are not watched. Undefined if they may be in any. */
function unwatched({ namespaced, namespaces }: ObjectKind, watched: readonly string[]): readonly string[] | undefined {
  if (!namespaced || namespaces === undefined) return undefined;
  return namespaces === 'watched' ? [] : namespaces.filter((namespace) => !watched.includes(namespace));
}

/** True if some objects of a kind may be where nothing is watched. */
function isBeyond(kind: ObjectKind, watched: readonly string[]): boolean {
  return unwatched(kind, watched)?.length !== 0;
}

function remedyFor(kinds: readonly ObjectKind[], watched: readonly string[]): string {
  const missing = kinds.map((kind) => unwatched(kind, watched));
  const names = missing.flatMap((one) => one ?? []);
  if (missing.includes(undefined)) return 'watch all namespaces';
  return `add ${[...new Set(names)].join(', ')} to --namespaces, or watch all namespaces`;
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

/**
 * A kind with fields whose desired content follows facts that may change at any rate, such as the addresses of Pods. Without
 * it, the runtime takes 20 changes in five minutes without an edit of the spec for a loop of its own writes, and suspends them.
 *
 * @param fields paths from the root of the object, such as `data` or `spec.endpoints`, with everything below
 * @example owns: [Service, frequentlyChanged(EndpointSlice, ['endpoints'])]
 */
export function frequentlyChanged<K extends ObjectKind>(kind: K, fields: readonly string[]): K {
  return Object.freeze({ ...kind, frequentFields: Object.freeze([...fields]) });
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
