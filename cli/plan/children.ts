import { Stores } from '../../operator/runtime/cache/stores.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import type { Facts } from '../../operator/runtime/controller/facts.js';
import { ownedOf } from '../../operator/runtime/controller/owned-objects.js';
import { kindsRead } from '../../operator/runtime/controller/reads.js';
import { answersToPolls } from '../../operator/runtime/external/external-answers.js';
import { RejectedError } from '../../operator/runtime/kubernetes/errors.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../operator/runtime/kubernetes/object.js';
import { referencedObjects } from '../../operator/runtime/observe/referenced-objects.js';
import type { DesiredCall } from '../../operator/runtime/rendering/external-call.js';
import { renderAll } from '../../operator/runtime/rendering/render.js';
import { MemoryCluster } from '../../operator/testing/index.js';
import { failureOf } from '../controllers/author-errors.js';
import { titleOf } from '../controllers/resource-controllers.js';
import { withoutAnswers } from '../controllers/unanswered-ports.js';

interface Around {
  /** Objects that the resource may refer to. */
  readonly objects: readonly Manifest[];
  /** Called with the name of each port whose answer `desire` reads. No port has an answer here. */
  readonly unknown: (port: string) => void;
  /** Called with each external call that `desire` renders. */
  readonly called?: (call: DesiredCall) => void;
}

/**
 * The objects that a controller would create for a new resource, in the order of creation.
 * @throws {Error} if the controller rejects the spec or fails
 */
export async function childrenOf(
  controller: Controller,
  resource: CustomResource,
  { objects, unknown, called = () => {} }: Around,
): Promise<readonly Manifest[]> {
  const stores = new Stores();
  for (const kind of kindsRead([controller])) {
    const there = objects.filter((object) => object.kind === kind.kind && object.apiVersion === apiVersionOf(kind));
    stores.read(kind).replace(
      there.map((object) => liveIn(resource, object)),
      '1',
      '',
    );
  }
  const reads = await referencedObjects(resource, { controller, stores, cluster: new MemoryCluster() }, {});
  try {
    const none = ownedOf([]);
    const world = { owned: none, siblings: none, isServed: () => true, reads };
    const unasked: Facts = { resource, ...world, polled: {}, now: new Date() };
    const polled = answersToPolls(controller, unasked, () => undefined).answers;
    const { calls, desired } = renderAll(withoutAnswers(controller, unknown), { ...unasked, polled });
    for (const call of calls) called(call);
    return desired.toSorted((a, b) => a.wave - b.wave).map(({ manifest }) => manifest);
  } catch (error) {
    if (error instanceof RejectedError) {
      throw new Error(`${titleOf(resource)} is rejected: ${error.reason}: ${error.message}`, { cause: error });
    }
    throw failureOf(controller, resource, error);
  }
}

function liveIn({ metadata: { namespace } }: CustomResource, object: Manifest): LiveObject {
  const metadata = { ...(namespace !== undefined && { namespace }), ...object.metadata };
  return { ...object, metadata: { uid: metadata.name, resourceVersion: '1', ...metadata } };
}
