import type { ReferenceIndex } from '../cache/reference-index.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';

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
