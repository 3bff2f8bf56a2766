import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Applying } from './apply.js';
import { write } from './doubts.js';
import { controllerLabel, isClaimedBy, isOwnedBy, managerOf } from './inventory.js';
import type { LiveObject, Manifest } from './object.js';
import type { Desired } from './render.js';

/** The metadata of a construct whose objects are made once. */
const metadataType = 'reconstruct.dev/once';

/**
 * Has the objects of a construct made where they are missing, and never changed: a Secret whose value was drawn by lot, a
 * Pod that is to be replaced by deciding so, not by what its spec has become. What is edited stays edited; what is
 * deleted is made again, as it is desired then; what is not desired any more goes, as everything does.
 *
 * @example makeOnce(new ApiObject(scope, 'password', { apiVersion: 'v1', kind: 'Secret', … }));
 */
export function makeOnce(construct: IConstruct): void {
  construct.node.addMetadata(metadataType, true);
}

/** What was said of an object, or of a construct around it. */
export function isToBeMadeOnce(object: ApiObject): boolean {
  return object.node.scopes.some(({ node }) => node.metadata.some(({ type }) => type === metadataType));
}

/**
 * Leaves an object as it was made. What was handed over gets its new owner, what lost the label by which it is seen gets
 * that back, and both keep what they hold.
 */
export async function leaveAsMade(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  applying: Applying,
): Promise<void> {
  const { cluster, controller, owner, telemetry, signal } = applying;
  const isSeen = live.metadata.labels?.[controllerLabel] === controller.name;
  const isOwn = desired.distant ? isClaimedBy(live, owner) : isOwnedBy(live, owner);
  if (isSeen && isOwn) return;
  const { apiVersion, kind, metadata } = wish;
  telemetry.wrote({ controller: controller.name, kind, verb: 'apply' });
  const { uid, resourceVersion } = live.metadata;
  const taken = { apiVersion, kind, metadata: { ...metadata, uid, resourceVersion } };
  await write(desired, applying, () =>
    cluster.apply(desired.kind, taken, { manager: managerOf(controller.name), signal }),
  );
}
