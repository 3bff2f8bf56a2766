import type { Stores } from '../../operator/runtime/cache/stores.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import type { Facts } from '../../operator/runtime/controller/facts.js';
import { ownedOf } from '../../operator/runtime/controller/owned-objects.js';
import { answersToPolls } from '../../operator/runtime/external/external-answers.js';
import { isDeleting } from '../../operator/runtime/kubernetes/object.js';
import { referencedObjects } from '../../operator/runtime/observe/referenced-objects.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { type Desired, renderAll } from '../../operator/runtime/rendering/render.js';
import { withoutAnswers } from '../controllers/unanswered-ports.js';
import { fillReads } from '../diff/caches.js';

/** What a controller sees of a resource. */
export interface Seen {
  readonly resource: CustomResource;
  /** The caches with the objects of the resource. */
  readonly stores: Stores;
  readonly cluster: Cluster;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The objects that a controller desires for a resource now. Undefined if they are not known here: they depend on the
 * answer of a poll or on an object that the user may not read, the spec is rejected, or `desire` fails.
 */
export async function desiredObjects(
  controller: Controller,
  { resource, stores, cluster, now }: Seen,
): Promise<readonly Desired[] | undefined> {
  if (isDeleting(resource) || (controller.secondaryFor ?? controller.selects)?.(resource) === false) return undefined;
  try {
    await fillReads(stores, controller, { resource, cluster });
    const reads = await referencedObjects(resource, { controller, stores, cluster }, {});
    const owned = ownedOf(stores.ownedBy(resource, controller));
    const siblings = ownedOf(stores.siblings(resource, controller));
    const isServed = (kind: Parameters<Facts['isServed']>[0]) => stores.isServed(kind);
    const unasked: Facts = { resource, owned, siblings, isServed, reads, polled: {}, now: new Date(now) };
    const polled = answersToPolls(controller, unasked, () => undefined).answers;
    const asking = withoutAnswers(controller, (port) => {
      throw new Error(`only the running operator has the answer of ${port}`);
    });
    return renderAll(asking, { ...unasked, polled }).desired;
  } catch {
    return undefined; // the conditions report why
  }
}
