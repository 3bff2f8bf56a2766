import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { isEnding } from '../controller/finalization.js';
import { callUserCode } from '../controller/user-code.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { finalizerRemoval, type PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';

/** Who protects an object. */
interface Protection {
  readonly controller: Controller;
  readonly resource: CustomResource;
}

/** Adds the finalizer of the controller to what it protects. */
export function withProtection(desired: readonly Desired[], by: Protection): readonly Desired[] {
  const { controller } = by;
  if (!controller.protects) return desired;
  return desired.map((one) =>
    isProtected(one.manifest, by) ? { ...one, manifest: protectedBy(one.manifest, controller) } : one,
  );
}

function protectedBy({ metadata, ...rest }: Manifest, { name }: Controller): Manifest {
  const finalizers = [...(metadata.finalizers ?? []), finalizerOf(name)];
  return { ...rest, metadata: { ...metadata, finalizers } };
}

/**
 * The operations that end the protection of an object, as soon as it needs none. Empty if it has none, or goes on to need it.
 */
export function endOfProtection(object: LiveObject, by: Protection): readonly PatchOperation[] {
  if (!by.controller.protects || isProtected(object, by)) return [];
  return finalizerRemoval(object, finalizerOf(by.controller.name));
}

/** Nothing is to be learned for a resource that ends. */
function isProtected(object: Manifest, { controller, resource }: Protection): boolean {
  if (isEnding(controller, resource)) return false;
  return callUserCode(controller.name, 'protects', () => controller.protects?.(object, resource)) ?? false;
}
