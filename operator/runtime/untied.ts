import type { Applying } from './apply.js';
import { overVersion, type PatchOperation } from './cluster.js';
import { write } from './doubts.js';
import { managerOf } from './inventory.js';
import { token } from './json-pointer.js';
import { groupKindOf, type ObjectKind } from './kinds.js';
import { keyOf, type LiveObject, untiedAnnotation } from './object.js';

/**
 * A kind whose objects the garbage collector must not take with their resource: what holds data. Whose they are stands
 * in an annotation in place of the owner reference, so a deletion in the foreground, which has the collector take
 * everything before any finalizer has done its work, does not reach them. The controller must finalize: what it does not
 * take away itself stays.
 *
 * @example owns: [Service, untied(PersistentVolumeClaim)]
 */
export function untied<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, untied: true });
}

/** @throws {Error} when objects would be left behind by every deletion, or are owned in two ways */
export function refuseLoose({
  name,
  owns,
  finalizes,
}: {
  name: string;
  owns: readonly ObjectKind[];
  finalizes: boolean;
}): void {
  const loose = owns.find((kind) => kind.untied);
  if (loose && !finalizes) {
    throw new Error(
      `controller ${name}: ${groupKindOf(loose)} is untied, so nobody takes it with its resource: set finalizes`,
    );
  }
  const twofold = owns.find((kind) => kind.untied && (kind.distant || kind.shared || !kind.namespaced));
  if (twofold)
    throw new Error(`controller ${name}: ${groupKindOf(twofold)} is untied and owned otherwise too: choose one`);
}

/**
 * Leaves an untied object where it is: it is nobody's from now on, until a resource of this name wants it again.
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
export async function leaveBehind(kind: ObjectKind, live: LiveObject, applying: Applying): Promise<void> {
  const { cluster, controller, owner, telemetry, signal } = applying;
  const { metadata } = live;
  const { annotations, ownerReferences = [] } = metadata;
  const isTold = annotations?.[untiedAnnotation] !== undefined;
  // An earlier version of the controller may have tied it.
  const ties = ownerReferences.flatMap(({ uid }, index) => (uid === owner.metadata.uid ? [index] : []));
  const paths = [
    ...(isTold ? [`/metadata/annotations/${token(untiedAnnotation)}`] : []),
    ...ties.reverse().map((index) => `/metadata/ownerReferences/${index}`),
  ];
  telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
  const patch: readonly PatchOperation[] = [
    overVersion(live),
    ...paths.map((path) => ({ op: 'remove', path }) as const),
  ];
  await write({ kind, key: keyOf(metadata) }, applying, () =>
    cluster.patch(kind, metadata, patch, { manager: managerOf(controller.name), signal }),
  );
}
