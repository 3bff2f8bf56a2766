import type { Held } from '../apply/held-objects.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Finding } from '../controller/conditions.js';
import { heldCondition } from '../controller/owned-status.js';
import { timestampOf } from '../kubernetes/timestamp.js';

/** Milliseconds. A missing answer usually comes sooner, for example after a start of the operator. */
const toldAfter = 60_000;

/** What a reconcile says about objects that it holds. */
export interface HeldPrune {
  /** The condition, if they have been held for long. */
  readonly finding?: Finding;
  /** Milliseconds until there is such a condition. */
  readonly requeueAfter?: number;
}

/** Names the objects whose prune is held for more than a minute. It does not affect `Ready`. */
export function heldPrune(
  { clock, heldPrunes, resource }: Pick<ReconcileContext, 'clock' | 'heldPrunes' | 'resource'>,
  held: readonly Held[],
): HeldPrune | undefined {
  const now = clock.now();
  const since = heldPrunes?.note(resource.metadata.uid, held.length > 0, now);
  if (since === undefined) return undefined;
  const remains = since + toldAfter - now;
  if (remains > 0) return { requeueAfter: remains };
  const names = held.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`).toSorted();
  const whys = [...new Set(held.map(({ why }) => why))].toSorted();
  const message = `Not pruned since ${timestampOf(new Date(since))}: ${names.join(', ')}, because ${whys.join('; ')}`;
  return { finding: { type: heldCondition, status: 'True', reason: 'NotKnown', message } };
}
