import type { Applying } from './apply.js';
import type { CustomResource } from './controller.js';
import { finalizerOf, managerOf } from './inventory.js';
import { apiVersionOf } from './kinds.js';
import { keyOf, type LiveObject } from './object.js';
import { inventoryAnnotation, inventoryText, type Recorded, recordedOf } from './recorded.js';

export function hasFinalizer(resource: CustomResource, controller: string): boolean {
  return resource.metadata.finalizers?.includes(finalizerOf(controller)) ?? false;
}

/**
 * Puts the controller's finalizer on, or takes it off; those of others stay. The inventory travels with it: one apply
 * states both, so that neither is there without the other.
 *
 * Guarantee: it is there before anything is made, so a resource never goes before what it stands for.
 * @param recorded the inventory. @default - what it lists already
 */
export async function setFinalizer(
  present: boolean,
  applying: Applying,
  recorded: readonly Recorded[] = recordedOf(applying.owner, applying.controller.owns),
): Promise<void> {
  const { cluster, controller, owner, stores, telemetry, signal } = applying;
  const { kind, name } = controller;
  const { namespace, uid } = owner.metadata;
  const finalizers = present ? [finalizerOf(name)] : [];
  const inventory = inventoryText(recorded);
  const annotations = inventory === undefined ? {} : { annotations: { [inventoryAnnotation]: inventory } };
  const metadata = { name: owner.metadata.name, uid, finalizers, ...annotations, ...(namespace && { namespace }) };
  telemetry.wrote({ controller: name, kind: kind.kind, verb: 'finalizer' });
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const send = () => cluster.apply(kind, object, { manager: managerOf(name), signal });
  const answer = await stores.of(kind).write(keyOf(owner.metadata), send);
  const forged = answer ? staleIn(answer, { finalizer: present ? undefined : finalizerOf(name), inventory }) : [];
  if (!answer || forged.length === 0) return;
  const version = { op: 'replace', path: '/metadata/resourceVersion', value: answer.metadata.resourceVersion } as const;
  const patch = [version, ...forged.map((path) => ({ op: 'remove', path }) as const)];
  const options = { manager: managerOf(name), signal };
  await stores.of(kind).write(keyOf(owner.metadata), () => cluster.patch(kind, owner.metadata, patch, options));
}

/** What others wrote in our name (a backup that was restored does), which an apply does not take away. As paths. */
function staleIn(
  { metadata: { annotations, finalizers = [] } }: LiveObject,
  wanted: { finalizer: string | undefined; inventory: string | undefined },
): string[] {
  const index = wanted.finalizer === undefined ? -1 : finalizers.indexOf(wanted.finalizer);
  const isListed = wanted.inventory === undefined && annotations?.[inventoryAnnotation] !== undefined;
  return [
    ...(isListed ? [`/metadata/annotations/${inventoryAnnotation.replace('/', '~1')}`] : []),
    ...(index < 0 ? [] : [`/metadata/finalizers/${index}`]),
  ];
}
