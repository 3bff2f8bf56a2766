import type { LiveObject } from './object.js';

const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' } as const;

/**
 * What is kept of an object that nobody here looks into: it is there, and whose it is.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-fetches
 */
export function partialOf({ metadata }: LiveObject): LiveObject {
  return { ...partial, metadata };
}

/** True of an object of which no more is kept than its metadata. */
export function isPartial({ apiVersion, kind }: LiveObject): boolean {
  return kind === partial.kind && apiVersion === partial.apiVersion;
}
