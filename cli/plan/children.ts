import { askedFor } from '../../operator/runtime/asked.js';
import type { Controller, CustomResource, Facts } from '../../operator/runtime/controller.js';
import { RejectedError } from '../../operator/runtime/errors.js';
import { apiVersionOf } from '../../operator/runtime/kinds.js';
import type { LiveObject, Manifest } from '../../operator/runtime/object.js';
import { ownedOf } from '../../operator/runtime/owned.js';
import { readsOf } from '../../operator/runtime/read.js';
import { kindsRead } from '../../operator/runtime/reads.js';
import { render } from '../../operator/runtime/render.js';
import { Stores } from '../../operator/runtime/stores.js';
import { MemoryCluster } from '../../operator/testing/index.js';
import { failureOf } from '../failure-of.js';
import { titleOf } from '../matching.js';
import { unanswered } from '../unanswered.js';

interface Around {
  /** Objects that it may refer to. */
  readonly objects: readonly Manifest[];
  /** Is called with the name of a port whose answer decides what is made: nobody answers here. */
  readonly unknown: (port: string) => void;
}

/**
 * What a controller would make for a resource of which nothing exists yet, in the order in which it would.
 * @throws {Error} when the controller rejects the spec, or fails
 */
export async function childrenOf(
  controller: Controller,
  resource: CustomResource,
  { objects, unknown }: Around,
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
  const reads = await readsOf(resource, { controller, stores, cluster: new MemoryCluster() }, {});
  try {
    const none = ownedOf([]);
    const world = { owned: none, beside: none, isServed: () => true, reads };
    const unasked: Facts = { resource, ...world, gathered: {}, now: new Date() };
    const gathered = askedFor(controller, unasked, () => undefined).answers;
    const desired = render(unanswered(controller, unknown), { ...unasked, gathered });
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
