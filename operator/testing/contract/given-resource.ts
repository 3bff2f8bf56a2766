import type { Manifest, ManifestMeta } from '../../runtime/kubernetes/object.js';

/**
 * A resource as users write it, with the defaults of its schema, because a memory cluster does not fill them in. Kinds
 * such as Namespace and Secret have no spec of users.
 */
export type GivenResource = Manifest & { readonly spec?: object };

/** What users edit of a resource: its spec, or for a kind without one, its labels, annotations and other fields. */
export function editableOf({ spec, apiVersion, kind, metadata, ...fields }: GivenResource): object {
  if (spec !== undefined) return spec;
  const { labels = {}, annotations = {} } = metadata;
  return { ...fields, metadata: { labels, annotations } };
}

/** A resource with another {@link editableOf}. */
export function withEditable(resource: GivenResource, edited: object): GivenResource {
  if (resource.spec !== undefined) return { ...resource, spec: edited };
  const { metadata } = edited as { readonly metadata?: Partial<ManifestMeta> };
  return { ...resource, ...edited, metadata: { ...resource.metadata, ...metadata } };
}
