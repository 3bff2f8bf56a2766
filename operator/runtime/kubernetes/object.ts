/** A Kubernetes object as plain JSON, as it is sent to the API server. All other fields are sent with it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMeta;
}

/** The part of `metadata` that the writer of an object decides. */
export interface ManifestMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  /** A precondition of a write: the object that was read, not another one of the same name. */
  readonly uid?: string;
  /** A precondition of a write: the state that was read, not a later one. */
  readonly resourceVersion?: string;
}

/** An object as the API server returns it. Frozen, because all readers of the cache share it. */
export interface LiveObject extends Manifest {
  readonly metadata: LiveMeta;
}

/** The fields that the API server adds to `metadata`. */
export interface LiveMeta extends ManifestMeta {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  /** RFC 3339, whole seconds. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

/** @see https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/ */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The place of an object within its kind. Cluster-scoped objects have no namespace. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster-scoped objects. Unique within a kind, and printable. */
export type ObjectKey = string;

/**
 * Orders objects by age, and those of the same second by namespace and name, as the Gateway API orders conflicting
 * routes. Where only one object can have what several claim, the first one has it.
 * @see https://gateway-api.sigs.k8s.io/reference/api-spec/main/spec/#httprouterule
 */
export function olderFirst(
  one: ObjectName & Pick<LiveMeta, 'creationTimestamp'>,
  other: ObjectName & Pick<LiveMeta, 'creationTimestamp'>,
): number {
  const [first, second] = [one, other].map((object) => `${object.creationTimestamp ?? ''} ${keyOf(object)}`);
  if (first === second || first === undefined || second === undefined) return 0;
  return first < second ? -1 : 1;
}

export function keyOf({ namespace, name }: ObjectName): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

export function nameOf(key: ObjectKey): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * Annotation that names the owner of an object without owner reference: apiVersion, kind, name and UID, separated by
 * spaces. It counts as much as an owner reference, because a user who can write one can write the other.
 */
export const controlledByAnnotation = 'reconstruct.dev/controlled-by';

/**
 * The owner that controls an object, by owner reference or by annotation. Kubernetes allows at most one. A ConfigMap
 * only stands for the owner in the annotation.
 */
export function controllerOf(object: Manifest): OwnerReference | undefined {
  const owner = object.metadata.ownerReferences?.find((one) => one.controller && !isPodOwnerReference(one));
  return owner ?? annotatedOwnerOf(object);
}

/** True for the reference of a Pod to the ConfigMap that controls it in place of its resource. */
export function isPodOwnerReference({ apiVersion, kind, controller }: OwnerReference): boolean {
  return controller === true && kind === 'ConfigMap' && apiVersion === 'v1';
}

/** The owner of an object without owner reference, by its annotation. Undefined for other objects. */
export function annotatedOwnerOf({ metadata }: Manifest): OwnerReference | undefined {
  const text = metadata.annotations?.[controlledByAnnotation];
  if (text === undefined) return undefined;
  const [apiVersion, kind, name, uid] = text.split(' ');
  return apiVersion && kind && name && uid ? { apiVersion, kind, name, uid, controller: true } : undefined;
}

/** Annotation of an object without a controlling owner: all of its owners share it. */
export const sharedAnnotation = 'reconstruct.dev/shared';

const nobody: readonly OwnerReference[] = [];

/** The owners of an object: the one that controls it, or all of its owners if it is shared. */
export function ownersOf(object: Manifest): readonly OwnerReference[] {
  const controller = controllerOf(object);
  if (controller) return [controller];
  const { annotations, ownerReferences } = object.metadata;
  return annotations?.[sharedAnnotation] === undefined ? nobody : (ownerReferences ?? nobody);
}

/**
 * Compares two versions of one kind's objects: negative if `a` is older. Versions are decimal numbers that may exceed
 * the range of a double, so the longer one is the larger one.
 * @see https://github.com/kubernetes/enhancements/issues/5504
 */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True if the object is in the namespace ('' for all). */
export function inScope({ metadata }: LiveObject, scope: string): boolean {
  return scope === '' || metadata.namespace === scope;
}

/** True if `a` has a later version than `b`. */
export function isNewer(a: LiveObject, b: LiveObject): boolean {
  return compareVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) > 0;
}

export function isDeleting({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The finalizers of others that block the deletion of an object. */
export function holdOn({ metadata: { deletionTimestamp, finalizers = [] } }: LiveObject): string {
  const others = finalizers.filter((one) => !kubernetesOwn.has(one));
  return deletionTimestamp === undefined || others.length === 0 ? '' : ` (held by finalizer ${others.join(', ')})`;
}

/** Finalizers that Kubernetes removes once the dependents are gone. */
const kubernetesOwn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
