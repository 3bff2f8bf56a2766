import type { ReconcileContext } from '../context/reconcile-context.js';
import { expiryOf } from '../controller/expiry.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { recordEvent } from '../ports/event-recorder.js';

/**
 * Deletes a resource whose time is over, in the version that was read: a resource whose user has just extended its time
 * stays.
 * @returns whether it was deleted. The next reconcile finalizes it, once its watch has reported the deletion
 * @throws {ApiError} Conflict if it has changed since. The next reconcile sees it
 */
export async function deleteExpired(context: ReconcileContext): Promise<boolean> {
  const { clock, cluster, controller, resource, signal, telemetry } = context;
  const at = expiryOf(controller, resource);
  if (at === undefined || at > clock.now()) return false;
  const { uid, resourceVersion } = resource.metadata;
  telemetry.wrote({ controller: controller.name, kind: controller.kind.kind, verb: 'delete' });
  await cluster.remove(controller.kind, resource.metadata, { uid, resourceVersion }, { signal });
  const note = `Deleted the ${controller.kind.kind}, which expired at ${timestampOf(at)}`;
  recordEvent({ type: 'Normal', reason: 'Expired', note }, context, resource);
  return true;
}
