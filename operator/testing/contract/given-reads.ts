import type { Controller } from '../../runtime/controller/controller.js';
import { kindsRead } from '../../runtime/controller/reads.js';
import { apiVersionOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { Manifest } from '../../runtime/kubernetes/object.js';

/**
 * The objects that a resource refers to, each with its kind.
 * @throws {Error} for one of a kind that the controller does not read
 */
export function givenReads(
  controller: Controller,
  { reads = [] }: { readonly reads?: readonly Manifest[] },
): { readonly kind: ObjectKind; readonly object: Manifest }[] {
  return reads.map((object) => {
    const kind = kindsRead([controller]).find(
      (read) => read.kind === object.kind && apiVersionOf(read) === object.apiVersion,
    );
    if (!kind) throw new Error(`${controller.name} does not read ${object.kind}: add it to its reads, or leave it out`);
    return { kind, object };
  });
}
