import type { LiveObject } from './object.js';

const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' } as const;

/**
 * The part of an object that is kept if no controller reads its content: it exists, and who owns it.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-fetches
 */
export function partialOf({ metadata }: LiveObject): LiveObject {
  return { ...partial, metadata };
}

/** True if only the metadata of the object is kept. */
export function isPartial({ apiVersion, kind }: LiveObject): boolean {
  return kind === partial.kind && apiVersion === partial.apiVersion;
}
