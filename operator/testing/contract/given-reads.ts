import type { Controller } from '../../runtime/controller/controller.js';
import { kindsRead } from '../../runtime/controller/reads.js';
import { apiVersionOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { Manifest } from '../../runtime/kubernetes/object.js';

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
