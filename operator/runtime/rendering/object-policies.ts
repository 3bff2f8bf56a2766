import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { groupKindOf, groupOf } from '../kubernetes/kinds.js';

/**
 * What happens to an object if an immutable field must change. `never`: the object stays unchanged, and its resource
 * reports so. `recreate`: the object is deleted and recreated.
 */
export type ReplacePolicy = 'never' | 'recreate';

/** The construct metadata that holds the policy. */
const metadataType = 'reconstruct.dev/replace';

/** Kinds whose deletion destroys data that cannot be restored. */
const keepers: ReadonlySet<string> = new Set([
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Namespace',
  'CustomResourceDefinition.apiextensions.k8s.io',
]);

/**
 * Allows the objects of a construct to be deleted and recreated if an immutable field must change, such as the selector
 * of a Deployment or the template of a Job. Without it they stay unchanged, and the resource reports `Blocked=True
 * ImmutableField`.
 *
 * PersistentVolumes, PVCs, namespaces and CRDs lose their data with the deletion. Each must be allowed itself: a policy
 * on a construct above them does not count.
 *
 * @example allowRecreation(new Job(scope, 'import', { … }));
 */
export function allowRecreation(construct: IConstruct): void {
  construct.node.addMetadata(metadataType, 'recreate');
}

/** The policy of an object, set on itself or on a construct around it. */
export function replacePolicyOf(object: ApiObject): ReplacePolicy {
  const isKeeper = holdsData({ group: groupOf(object.apiVersion), kind: object.kind });
  const spoken = isKeeper ? object.node.scopes.filter((scope) => isSameObject(scope, object)) : object.node.scopes;
  return spoken.some(allowsRecreation) ? 'recreate' : 'never';
}

/** True for kinds whose objects hold more than their manifest. */
export function holdsData(kind: { readonly group: string; readonly kind: string }): boolean {
  return keepers.has(groupKindOf(kind));
}

/** Each class of cdk8s-plus wraps one object. A policy on the wrapper applies to the object. */
function isSameObject(scope: IConstruct, object: ApiObject): boolean {
  return scope === object || scope.node.defaultChild === object;
}

function allowsRecreation({ node }: IConstruct): boolean {
  return node.metadata.some(({ type }) => type === metadataType);
}

/** The construct metadata of objects that are created once. */
const onceMetadata = 'reconstruct.dev/once';

/**
 * Creates the objects of a construct if they are missing, and never changes them: for example, a Secret with a
 * generated value, or a Pod that is replaced by a decision and not by a change of its spec. Edits stay. A deleted
 * object is recreated as it is desired then. An object that is no longer desired is pruned like any other.
 *
 * @example createOnly(new ApiObject(scope, 'password', { apiVersion: 'v1', kind: 'Secret', … }));
 */
export function createOnly(construct: IConstruct): void {
  construct.node.addMetadata(onceMetadata, true);
}

/** The construct metadata that holds the policy for a rejected write. */
const rejectionMetadata = 'reconstruct.dev/rejection';

/**
 * Continues the reconcile if the API server rejects a write of the objects of a construct: for example, a quota that
 * does not let a PVC grow. The resource reports `Ready=False ApplyRejected`. An object that exists holds up nothing. A
 * missing object holds up only the objects of later waves and external calls.
 *
 * @param remedy what a person can do about it in the spec, as the end of a message. The runtime adds what helps with the
 *   quota, policy or permission that the API server names.
 * @param options.holdsUp false if later objects and calls need not wait for a missing object: for example, one of
 *   several workers. @default true
 * @example allowRejection(claim, 'lower spec.size');
 */
export function allowRejection(
  construct: IConstruct,
  remedy: string,
  { holdsUp = true }: { readonly holdsUp?: boolean } = {},
): void {
  construct.node.addMetadata(rejectionMetadata, { remedy, holdsUp } satisfies RejectionPolicy);
}

/** What follows if the API server rejects a write of an object. */
export interface RejectionPolicy {
  /** What a person can do about it in the spec. */
  readonly remedy: string;
  /** Whether later objects and external calls wait for the object while it is missing. */
  readonly holdsUp: boolean;
}

/** The policy, set on an object or on a construct around it. Undefined if a rejection fails the reconcile. */
export function rejectionPolicyOf(object: ApiObject): RejectionPolicy | undefined {
  const metadata = object.node.scopes.flatMap(({ node }) => node.metadata);
  return metadata.findLast(({ type }) => type === rejectionMetadata)?.data as RejectionPolicy | undefined;
}

/** Whether this was set on an object or on a construct around it. */
export function isToBeMadeOnce(object: ApiObject): boolean {
  return object.node.scopes.some(({ node }) => node.metadata.some(({ type }) => type === onceMetadata));
}
