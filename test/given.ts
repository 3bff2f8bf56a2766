import type { LiveObject, Manifest, ManifestMeta } from '../operator/runtime/kubernetes/object.js';

/** A document to look into: the tests know what they put there. */
// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
export type Loose<T = LiveObject> = T & Readonly<Record<string, any>>;

type Meta = Partial<ManifestMeta> & { readonly [field: string]: unknown };

/** A ConfigMap as one writes it. */
export function configMap(name: string, { data = {}, ...metadata }: { data?: Record<string, string> } & Meta = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team', ...metadata }, data };
}

/** An object as the API server returns it, by default with version 1 and a UID from its name. */
export function live<T extends Manifest>(object: T, metadata: Record<string, unknown> = {}): T & LiveObject {
  const { name } = object.metadata;
  return { ...object, metadata: { uid: `uid-of-${name}`, resourceVersion: '1', ...object.metadata, ...metadata } };
}

/** The reference by which a resource controls an object. */
export function controlledBy({ apiVersion, kind, metadata }: LiveObject) {
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }] };
}
