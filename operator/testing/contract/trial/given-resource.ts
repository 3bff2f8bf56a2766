import type { Controller } from '../../../runtime/controller/controller.js';
import { kindsRead } from '../../../runtime/controller/reads.js';
import { apiVersionOf, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import type { Manifest, ManifestMeta } from '../../../runtime/kubernetes/object.js';

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

/**
 * The objects that a resource refers to, each with its kind.
 * @throws {Error} if the controller does not read the kind of an object
 */
export function givenReads(
  controller: Controller,
  { reads = [] }: { readonly reads?: readonly Manifest[] },
): { readonly kind: ObjectKind; readonly object: Manifest }[] {
  return reads.map((object) => {
    const kind = kindsRead([controller]).find(
      (read) => read.kind === object.kind && apiVersionOf(read) === object.apiVersion,
    );
    if (!kind)
      throw new Error(
        `controller ${controller.name} does not read ${object.kind}; add it to reads, or remove the object`,
      );
    return { kind, object };
  });
}
