import type { Applying } from './apply.js';
import type { CustomResource } from './controller.js';
import { finalizerOf, managerOf } from './inventory.js';
import { apiVersionOf } from './kinds.js';
import { keyOf } from './object.js';

export function hasFinalizer(resource: CustomResource, controller: string): boolean {
  return resource.metadata.finalizers?.includes(finalizerOf(controller)) ?? false;
}

/**
 * Puts the controller's finalizer on, or takes it off; those of others stay.
 *
 * Guarantee: it is there before anything is made, so a resource never goes before what it stands for.
 */
export async function setFinalizer(present: boolean, applying: Applying): Promise<void> {
  const { cluster, controller, owner, stores, telemetry, signal } = applying;
  const { kind, name } = controller;
  const { namespace, uid } = owner.metadata;
  const finalizers = present ? [finalizerOf(name)] : [];
  const metadata = { name: owner.metadata.name, uid, finalizers, ...(namespace && { namespace }) };
  telemetry.wrote({ controller: name, kind: kind.kind, verb: 'finalizer' });
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const send = () => cluster.apply(kind, object, { manager: managerOf(name), signal });
  await stores.of(kind).write(keyOf(owner.metadata), send);
}
