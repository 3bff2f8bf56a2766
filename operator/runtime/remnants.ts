import type { Applying } from './apply.js';
import { isDeleting } from './deletion.js';
import type { ObjectKind } from './kinds.js';
import { hasLabels, type Labels } from './reads.js';

/** What others made for a resource, in its namespace, and nobody takes away with it. */
export interface Remnant<K extends ObjectKind = ObjectKind> {
  readonly kind: K;
  readonly name: string;
  /** By which it is recognised: what lacks one of them is somebody else's, and stays. */
  readonly labels: Labels;
}

/**
 * Takes away what others made for a resource that is being deleted. Nobody is left who would make it again, and the
 * finalizer is still there: whoever is stopped in between begins here again. Each goes only if it still is the very object
 * that was looked at.
 *
 * @throws {ApiError} Conflict when one has changed since, which the next pass looks at
 */
export async function clearRemnants({ cluster, controller, owner, telemetry, signal }: Applying): Promise<void> {
  if (!isDeleting(owner)) return;
  const { namespace } = owner.metadata;
  for (const { kind, name, labels } of controller.remnants?.(owner) ?? []) {
    const found = await cluster.read(kind, { name, ...(namespace && { namespace }) }, { signal });
    if (!found || found.metadata.deletionTimestamp || !hasLabels(found, labels)) continue;
    const { uid, resourceVersion } = found.metadata;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    await cluster.remove(kind, found.metadata, { uid, resourceVersion }, { signal });
  }
}
