import assert from 'node:assert/strict';
import { isRecord } from '../../../../runtime/kubernetes/json.js';
import { groupKindOf, type ObjectKind } from '../../../../runtime/kubernetes/kinds.js';
import { type LabelSelector, selectsLabels } from '../../../../runtime/kubernetes/label-selector.js';
import { keyOf, type Manifest } from '../../../../runtime/kubernetes/object.js';

/** An object of a resource. */
interface OwnedObject {
  readonly kind: ObjectKind;
  readonly object: Manifest;
}

type Labels = Readonly<Record<string, string>>;

/** A label selector, with the field that holds it. */
interface Selector extends LabelSelector {
  readonly path: string;
}

/**
 * Checks that no two resources write the same object, and that no selector of one matches Pods of another.
 *
 * @param ownedBy returns the objects of a resource
 * @throws {Error} with the objects
 */
export async function refuseOverlaps<R extends Manifest>(
  { resource, others = similarTo(resource) }: { readonly resource: R; readonly others?: readonly R[] },
  ownedBy: (resource: R) => Promise<readonly OwnedObject[]>,
): Promise<void> {
  const known: Known[] = [];
  for (const one of [resource, ...others]) {
    const found = { title: keyOf(one.metadata), objects: await ownedBy(one) };
    for (const other of known) refuse(other, found, [...sharedObjects(found, other), ...sharedPods(found, other)]);
    known.push(found);
  }
  const [first] = known as [Known, ...Known[]];
  // Two resources that want one name are told by the runtime. Nothing tells of a selector.
  for (const name of workloadsBeside(resource, first)) {
    const one = { ...resource, metadata: { ...resource.metadata, name } };
    const found = { title: keyOf(one.metadata), objects: await ownedBy(one) };
    refuse(first, found, sharedPods(found, first));
  }
}

/** A resource and its objects. */
interface Known {
  readonly title: string;
  readonly objects: readonly OwnedObject[];
}

function refuse(one: Known, other: Known, overlaps: readonly string[]): void {
  assert.deepEqual(overlaps, [], `${one.title} and ${other.title} overlap: ${overlaps[0]}; ${advice}`);
}

/** The names of the workloads of a resource that have another name than it has. */
function workloadsBeside({ metadata }: Manifest, { objects }: Known): ReadonlySet<string> {
  const running = objects.filter((object) => podLabelsOf(object).length > 0);
  const names = new Set(running.map(({ object }) => object.metadata.name));
  names.delete(metadata.name);
  return names;
}

const advice =
  "derive names, labels and selectors from the name and the namespace of the resource; if the spec names objects, list 'others' in the test data";

/** Resources that a controller easily confuses: by a dot, by the end of a long name, or by the namespace alone. */
function similarTo<R extends Manifest>(resource: R): readonly R[] {
  const { name, namespace } = resource.metadata;
  const long = `${name}-`.padEnd(longestName - 1, 'x');
  const named = [`${name}-2`, `${name}.2`, `${long}1`, `${long}2`].map((other) => ({ name: other }));
  const elsewhere = namespace === undefined ? [] : [{ namespace: `${namespace}-2` }];
  return [...named, ...elsewhere].map((changes) => ({ ...resource, metadata: { ...resource.metadata, ...changes } }));
}

/** Characters of the longest name of a custom resource. */
const longestName = 253;

/**
 * The objects that two resources both have. Both would write them. Objects that are shared on purpose do not count.
 * @returns a description of each
 */
function sharedObjects(one: Known, other: Known): readonly string[] {
  const theirs = new Set(unshared(other).map(titleOf));
  return unshared(one)
    .map(titleOf)
    .filter((title) => theirs.has(title))
    .map((title) => `both have ${title}`);
}

/**
 * The Pods of one resource that a selector of the other matches. A Service would then send requests to them, and a
 * Deployment would count them.
 * @returns a description of each
 */
function sharedPods(one: Known, other: Known): readonly string[] {
  const [mine, theirs] = [unshared(one), unshared(other)];
  return [...selected(mine, theirs), ...selected(theirs, mine)];
}

function unshared({ objects }: Known): readonly OwnedObject[] {
  return objects.filter(({ kind }) => !kind.shared);
}

/** The Pods of the one that selectors of the other match. */
function selected(selecting: readonly OwnedObject[], running: readonly OwnedObject[]): readonly string[] {
  return selecting.flatMap((selector) =>
    selectorsOf(selector).flatMap(({ path, ...wanted }) =>
      running
        .filter((object) => isSameNamespace(selector, object))
        .filter((object) => podLabelsOf(object).some((labels) => selectsLabels(wanted, labels)))
        .map((object) => `${path} of ${titleOf(selector)} selects the Pods of ${titleOf(object)}`),
    ),
  );
}

function titleOf({ kind, object }: OwnedObject): string {
  return `${groupKindOf(kind)} ${keyOf(object.metadata)}`;
}

function isSameNamespace(a: OwnedObject, b: OwnedObject): boolean {
  return a.object.metadata.namespace === b.object.metadata.namespace;
}

/** The kinds whose selector is a map of labels. */
const simple: ReadonlySet<string> = new Set(['Service', 'ReplicationController']);
/** The kinds whose `spec.selector` is a label selector for Pods. */
const structured: ReadonlySet<string> = new Set([
  ...['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps'],
  ...['PodDisruptionBudget.policy', 'PodMonitor.monitoring.coreos.com'],
]);

/** The selectors for Pods. A Service without a selector selects none, and an empty one elsewhere selects all. */
function selectorsOf({ kind, object }: OwnedObject): readonly Selector[] {
  const name = groupKindOf(kind);
  const { selector, podSelector } = specOf(object);
  if (simple.has(name)) {
    const isAny = isRecord(selector) && Object.keys(selector).length > 0;
    return isAny ? [{ path: 'spec.selector', matchLabels: selector as Labels }] : [];
  }
  if (structured.has(name)) return isRecord(selector) ? [{ path: 'spec.selector', ...selector }] : [];
  // An empty selector here is a rule for the whole namespace, which an author states on purpose.
  const isRule = name === 'NetworkPolicy.networking.k8s.io' && isRecord(podSelector);
  return isRule && Object.keys(podSelector).length > 0 ? [{ path: 'spec.podSelector', ...podSelector }] : [];
}

/** The labels of a Pod, or of the Pods that an object creates. */
function podLabelsOf({ kind, object }: OwnedObject): readonly Labels[] {
  if (groupKindOf(kind) === 'Pod') return [(object.metadata.labels ?? {}) as Labels];
  const { template, jobTemplate } = specOf(object);
  const inJob = isRecord(jobTemplate) ? specOf(jobTemplate)['template'] : undefined;
  return [template, inJob].filter(isRecord).map(({ metadata }) => {
    return (isRecord(metadata) && isRecord(metadata['labels']) ? metadata['labels'] : {}) as Labels;
  });
}

function specOf(object: object): Readonly<Record<string, unknown>> {
  const { spec } = object as { readonly spec?: unknown };
  return isRecord(spec) ? spec : {};
}
