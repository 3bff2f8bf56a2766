import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { groupKindOf, groupOf } from '../kubernetes/kinds.js';

/**
 * What becomes of an object that would have to change a field that cannot be changed. `never`: it stays as it is, and
 * its resource says so. `recreate`: it is deleted and made again.
 */
export type ReplacePolicy = 'never' | 'recreate';

/** The metadata of a construct that carries its policy. */
const metadataType = 'reconstruct.dev/replace';

/** Kinds whose deletion takes data with it that nobody can make again. */
const keepers: ReadonlySet<string> = new Set([
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Namespace',
  'CustomResourceDefinition.apiextensions.k8s.io',
]);

/**
 * Lets the objects of a construct be deleted and made again when a field must change that cannot be changed: the
 * selector of a Deployment, the template of a Job. Without it they stay as they are, and the resource says
 * `Blocked=True ImmutableField`.
 *
 * Volumes, claims, namespaces and definitions go with the data that they hold. They must be named one by one: what is
 * said of a construct above them does not count.
 *
 * @example allowRecreation(new Job(scope, 'import', { … }));
 */
export function allowRecreation(construct: IConstruct): void {
  construct.node.addMetadata(metadataType, 'recreate');
}

/** What holds for an object: what was said of it, or of a construct around it. */
export function replacePolicyOf(object: ApiObject): ReplacePolicy {
  const isKeeper = holdsData({ group: groupOf(object.apiVersion), kind: object.kind });
  const spoken = isKeeper ? object.node.scopes.filter((scope) => isSameObject(scope, object)) : object.node.scopes;
  return spoken.some(allowsRecreation) ? 'recreate' : 'never';
}

/** True of kinds whose objects are more than what was asked for. */
export function holdsData(kind: { readonly group: string; readonly kind: string }): boolean {
  return keepers.has(groupKindOf(kind));
}

/** The classes of cdk8s-plus wrap one object each: what is said of the wrapper is said of the object. */
function isSameObject(scope: IConstruct, object: ApiObject): boolean {
  return scope === object || scope.node.defaultChild === object;
}

function allowsRecreation({ node }: IConstruct): boolean {
  return node.metadata.some(({ type }) => type === metadataType);
}

/** The metadata of a construct whose objects are made once. */
const onceMetadata = 'reconstruct.dev/once';

/**
 * Has the objects of a construct made where they are missing, and never changed: a Secret whose value was drawn by lot, a
 * Pod that is to be replaced by deciding so, not by what its spec has become. What is edited stays edited; what is
 * deleted is made again, as it is desired then; what is not desired any more goes, as everything does.
 *
 * @example makeOnce(new ApiObject(scope, 'password', { apiVersion: 'v1', kind: 'Secret', … }));
 */
export function createOnly(construct: IConstruct): void {
  construct.node.addMetadata(onceMetadata, true);
}

/** What was said of an object, or of a construct around it. */
export function isToBeMadeOnce(object: ApiObject): boolean {
  return object.node.scopes.some(({ node }) => node.metadata.some(({ type }) => type === onceMetadata));
}
