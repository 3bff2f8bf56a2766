import type { Construct, IConstruct } from 'constructs';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type ObjectKey } from '../kubernetes/object.js';

/** An object of a resource, by its name. */
export interface KeptObject {
  /** One of the kinds that the controller owns. */
  readonly kind: ObjectKind;
  readonly name: string;
  /** @default - the namespace of the resource */
  readonly namespace?: string;
}

/** The construct metadata of what stays. */
const metadataType = 'reconstruct.dev/keep';

/**
 * Keeps objects that this reconcile does not render, while what they depend on is not known. Without an object, nothing
 * of the resource is pruned in this reconcile. A kept object is neither changed nor repaired, and `assess` still sees it
 * in `owned`. After a minute the condition `PruningHeld` names what is kept.
 *
 * For a resource that is being deleted, its finalizer stays too, until `desire` keeps nothing or a person releases it. The
 * same holds for a resource that its controller no longer selects.
 *
 * A poll without an answer needs no call: if `desire` reads it, nothing is pruned, unless `optionalPolls` names it.
 *
 * @param scope the scope of `desire`
 * @param object the one object to keep. @default - all objects that the resource owns
 * @param why the cause, for the message of the condition, after "because". @default - the name of the controller
 * @example if (!reads.plan) return keep(scope);
 */
export function keep(scope: Construct, object?: KeptObject, why?: string): void {
  scope.node.addMetadata(metadataType, { ...object, ...(why !== undefined && { why }) });
}

/**
 * Leaves an object of the resource as it is: it is not pruned, changed or repaired, and not created anew if somebody deletes
 * it at this moment. For an object that must exist once at most, such as a Pod whose work must not be done twice. Unlike
 * {@link keep}, no condition names it.
 *
 * @param scope the scope of `desire`
 * @example leave(scope, { kind: Pod, name: 'clean-1-1-driver' });
 */
export function leave(scope: Construct, object: KeptObject): void {
  scope.node.addMetadata(metadataType, { ...object, isLeft: true });
}

/** Objects that stay although `desire` did not render them, and why. */
export interface Keep {
  /** The one object. Undefined for all objects of the resource. */
  readonly object?: { readonly kind: ObjectKind; readonly key: ObjectKey };
  /** The cause, for people, after "because". */
  readonly why: string;
  /** True if it is meant to stay, and not only while something is not known. */
  readonly isLeft?: boolean;
}

/** Why everything of the resource stays, also what is outside of the cluster. Undefined if at most single objects stay. */
export function whyAllStays(keeps: readonly Keep[]): string | undefined {
  return keeps.find(({ object }) => !object)?.why;
}

/**
 * What the constructs keep.
 * @param context the kinds that the controller owns, and the namespace of the resource
 * @throws {Error} if the controller keeps a kind that it does not own. The controller is then wrong, not the spec
 */
export function keepsAmong(
  constructs: readonly IConstruct[],
  { name, owns, namespace: home }: { name: string; owns: readonly ObjectKind[]; namespace: string | undefined },
): readonly Keep[] {
  const stated = constructs.flatMap(({ node }) => node.metadata.filter(({ type }) => type === metadataType));
  return stated.map(({ data }) => {
    const given = data as Partial<KeptObject & Pick<Keep, 'why' | 'isLeft'>>;
    const { kind, name: object = '', namespace = home, why = `controller ${name} keeps it`, isLeft } = given;
    if (!kind) return { why };
    const owned = owns.find((one) => groupKindOf(one) === groupKindOf(kind));
    if (!owned)
      throw new Error(`${name} keeps ${kind.kind} ${object}, which it does not own: add ${groupKindOf(kind)} to owns`);
    const place = kind.namespaced && namespace !== undefined ? { name: object, namespace } : { name: object };
    return { why, object: { kind: owned, key: keyOf(place) }, ...(isLeft && { isLeft }) };
  });
}
