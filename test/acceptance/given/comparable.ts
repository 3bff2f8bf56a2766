import type { LiveObject } from '../../../operator/index.js';

/** An object as tests compare it. */
// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
export type Child = any;

const addedToMetadata = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'namespace'];
const addedToSpec = ['clusterIP', 'clusterIPs'];
const addedAnnotations = ['deployment.kubernetes.io/revision', 'reconstruct.dev/applied'];

/**
 * An object without what differs from one making of it to the next (UIDs, versions, addresses), and without its status.
 * The fingerprint of the wish goes too: it has the owner's UID in it.
 */
export function comparable(object: LiveObject): Child {
  const { metadata, status: _, ...rest } = structuredClone(object) as Child;
  const annotations = without(metadata.annotations, addedAnnotations);
  const ownerReferences = metadata.ownerReferences?.map((owner: object) => without(owner, ['uid']));
  return {
    ...rest,
    ...(rest.spec && { spec: without(rest.spec, addedToSpec) }),
    metadata: {
      ...without(metadata, [...addedToMetadata, 'annotations', 'ownerReferences']),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(ownerReferences && { ownerReferences }),
    },
  };
}

function without(record: object | undefined, keys: readonly string[]): Child {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([key]) => !keys.includes(key)));
}

/** The paths at which two values differ, those below a path that only one of them has left out. */
export function changedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return [path];
  if (Array.isArray(before) !== Array.isArray(after)) return [path];
  const [a, b] = [entriesOf(before), entriesOf(after)];
  const keys = [...new Set([...a.keys(), ...b.keys()])].sort();
  return keys.flatMap((key) => changedPaths(a.get(key), b.get(key), path === '' ? key : `${path}.${key}`));
}

/** Members by key; those of a list by name where they have one. */
function entriesOf(value: object): ReadonlyMap<string, unknown> {
  const named = Array.isArray(value)
    ? value.map((item, index): [string, unknown] => [item?.name ?? String(index), item])
    : Object.entries(value);
  return new Map(named);
}
