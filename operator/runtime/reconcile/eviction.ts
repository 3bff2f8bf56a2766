import type { Change } from '../cache/listeners.js';
import type { ReferenceIndex } from '../cache/reference-index.js';
import { evictOwned } from '../context/object-writes.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { isReconcileRequest } from '../kubernetes/pause.js';
import { placeOf } from '../ownership/inventory.js';
import { isClaimedBy, isOwnedBy, ownerKeysOf } from '../ownership/ownership-labels.js';

/** What is kept of resources outside of the caches. */
interface Kept
  extends Pick<
    ControllerContext,
    | 'callers'
    | 'controller'
    | 'foreignDeletions'
    | 'heldPrunes'
    | 'pollers'
    | 'recorder'
    | 'lastAcceptedSpecs'
    | 'renderCache'
    | 'reportedConditions'
    | 'stores'
  > {
  readonly reading: ReferenceIndex;
}

/** Drops what is kept of a resource that is gone. */
export function evictResource(resource: LiveObject, kept: Kept): void {
  const key = keyOf(resource.metadata);
  kept.reading.forget(key);
  kept.pollers?.forget(key);
  kept.callers?.forget(key);
  forgetUid(resource, kept);
}

/** Drops what a reconcile recorded about a resource that was deleted and evicted meanwhile. */
export function evictGone(resource: LiveObject, kept: Kept): void {
  const now = kept.stores.of(kept.controller.kind).get(keyOf(resource.metadata));
  if (!now) evictResource(resource, kept);
  else if (now.metadata.uid !== resource.metadata.uid) forgetUid(resource, kept);
}

function forgetUid({ metadata: { uid } }: LiveObject, kept: Kept): void {
  const { foreignDeletions, heldPrunes, lastAcceptedSpecs, recorder, renderCache, reportedConditions } = kept;
  foreignDeletions?.forget(uid);
  recorder.forget(uid);
  heldPrunes?.forget(uid);
  reportedConditions?.forget(uid);
  lastAcceptedSpecs.forget(uid);
  renderCache?.forget(uid);
}

/** Drops what is kept of an owned object that is gone, and records for its owners if another client deleted it. */
export function evictObject(
  object: LiveObject,
  { kind, ...context }: ControllerContext & { readonly kind: ObjectKind },
): void {
  const { controller, foreignDeletions, stores } = context;
  const found = ownerKeysOf(object, controller.kind).flatMap((key) => stores.of(controller.kind).get(key) ?? []);
  const owners = found.filter((one) => isOwnedBy(object, one) || isClaimedBy(object, one));
  const place = placeOf({ kind, key: keyOf(object.metadata) });
  foreignDeletions?.note(object.metadata.uid, { owners: owners.map(({ metadata: { uid } }) => uid), place });
  evictOwned(object, context);
}

/** If a person asks for a reconcile now, rejected writes are tried again, and external sources are asked. */
export function startAnew(
  { before, after }: Change,
  {
    controller,
    pollers,
    stores,
    writeGuard,
  }: Pick<ControllerContext, 'controller' | 'pollers' | 'stores' | 'writeGuard'>,
): void {
  if (!before || !after || !isReconcileRequest(before, after)) return;
  for (const { object } of stores.ownedBy(after, controller)) writeGuard.unblock(object.metadata.uid);
  pollers?.askAnew(keyOf(after.metadata));
}
