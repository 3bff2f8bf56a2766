import type { Applying } from './apply.js';
import { overVersion, type PatchOperation } from './cluster.js';
import { managerOf } from './inventory.js';
import type { ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';

/**
 * Sends a patch of what a resource owns, in the version that was looked at. What it does not name stays, whoever stated it.
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
export function patching(
  kind: ObjectKind,
  live: LiveObject,
  operations: readonly PatchOperation[],
  { cluster, controller, telemetry, signal }: Applying,
): () => Promise<LiveObject> {
  return () => {
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
    const patch = [overVersion(live), ...operations];
    return cluster.patch(kind, live.metadata, patch, { manager: managerOf(controller.name), signal });
  };
}
