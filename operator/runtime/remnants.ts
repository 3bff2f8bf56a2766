import type { Applying } from './apply.js';
import { authored } from './authored.js';
import { isDeleting } from './deletion.js';
import type { ObjectKind } from './kinds.js';
import { hasLabels, type Labels } from './reads.js';
import { whereServed } from './where-served.js';

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
export async function clearRemnants(applying: Applying): Promise<void> {
  const { cluster, controller, owner, telemetry, signal } = applying;
  if (!isDeleting(owner)) return;
  const { namespace } = owner.metadata;
  const wanted = authored(controller.name, 'remnants', () => controller.remnants?.(owner));
  for (const { kind, name, labels } of wanted ?? []) {
    const read = () => cluster.read(kind, { name, ...(namespace && { namespace }) }, { signal });
    const found = await whereServed(kind, applying, read);
    if (!found || found.metadata.deletionTimestamp || !hasLabels(found, labels)) continue;
    const { uid, resourceVersion } = found.metadata;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    await cluster.remove(kind, found.metadata, { uid, resourceVersion }, { signal });
  }
}
