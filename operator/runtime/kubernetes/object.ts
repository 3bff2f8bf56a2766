/** A Kubernetes object as plain JSON: what travels to the API server. Whatever else it has travels with it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMeta;
}

/** The part of `metadata` that whoever writes an object decides. */
export interface ManifestMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  /** As a precondition of a write: the object that was looked at, no other of its name. */
  readonly uid?: string;
  /** As a precondition of a write: the state that was looked at, no later one. */
  readonly resourceVersion?: string;
}

/** An object as the API server tells it. Frozen: it is shared by everybody who reads the cache. */
export interface LiveObject extends Manifest {
  readonly metadata: LiveMeta;
}

/** What the API server adds to `metadata`. */
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

/** Where an object is, within its kind. Cluster-scoped objects have no namespace. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for what is cluster-scoped: unique within a kind, and printable. */
export type ObjectKey = string;

export function keyOf({ namespace, name }: ObjectName): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

export function nameOf(key: ObjectKey): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * Annotation of an untied object with whose it is: apiVersion, kind, name and UID, with spaces between. What it says
 * counts as much as an owner reference: whoever may write the one may write the other.
 */
export const controlledByAnnotation = 'reconstruct.dev/controlled-by';

/** The owner that controls an object, by an owner reference or untied; Kubernetes allows one at most. */
export function controllerOf(object: Manifest): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller) ?? annotatedOwnerOf(object);
}

/** Whose an untied object is; undefined of others. */
export function annotatedOwnerOf({ metadata }: Manifest): OwnerReference | undefined {
  const text = metadata.annotations?.[controlledByAnnotation];
  if (text === undefined) return undefined;
  const [apiVersion, kind, name, uid] = text.split(' ');
  return apiVersion && kind && name && uid ? { apiVersion, kind, name, uid, controller: true } : undefined;
}

/** Annotation of an object that nobody controls: all of its owners have a say in it. */
export const sharedAnnotation = 'reconstruct.dev/shared';

const nobody: readonly OwnerReference[] = [];

/** Whose an object is: the one's that controls it, or all of its owners' where it is shared. */
export function ownersOf(object: Manifest): readonly OwnerReference[] {
  const controller = controllerOf(object);
  if (controller) return [controller];
  const { annotations, ownerReferences } = object.metadata;
  return annotations?.[sharedAnnotation] === undefined ? nobody : (ownerReferences ?? nobody);
}

/**
 * Which of two versions of one kind's objects is newer: negative if `a` is older.
 * Versions are decimal numbers that may exceed what a double holds: the longer one is the larger one.
 * @see https://github.com/kubernetes/enhancements/issues/5504
 */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True of what is in a namespace ('' for all). */
export function inScope({ metadata }: LiveObject, scope: string): boolean {
  return scope === '' || metadata.namespace === scope;
}

/** True when `a` is of a later version than `b`. */
export function isNewer(a: LiveObject, b: LiveObject): boolean {
  return compareVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) > 0;
}

export function isDeleting({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** What keeps an object that is being deleted: its end is the business of whoever put these finalizers on. */
export function holdOn({ metadata: { deletionTimestamp, finalizers = [] } }: LiveObject): string {
  const others = finalizers.filter((one) => !kubernetesOwn.has(one));
  return deletionTimestamp === undefined || others.length === 0 ? '' : ` (held by finalizer ${others.join(', ')})`;
}

/** What goes by itself once what is below is gone. */
const kubernetesOwn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
