import type { Applying } from './apply.js';
import { keyOf, type LiveObject } from './object.js';
import type { Reading } from './reading.js';
import type { Workplace } from './workplace.js';

/** What is kept of resources beside the caches. */
interface Kept extends Pick<Workplace, 'controller' | 'gathering' | 'lastAccepted' | 'rendered' | 'stores'> {
  readonly reading: Reading;
}

/** True of a resource that went while a pass was over it: of what it owned no more than metadata is kept from then on. */
export function isGone({ controller, owner, stores }: Pick<Applying, 'controller' | 'owner' | 'stores'>): boolean {
  return stores.of(controller.kind).get(keyOf(owner.metadata))?.metadata.uid !== owner.metadata.uid;
}

/** Forgets what is kept of a resource that is gone. */
export function forgetResource(resource: LiveObject, kept: Kept): void {
  const key = keyOf(resource.metadata);
  kept.reading.forget(key);
  kept.gathering?.forget(key);
  forgetUid(resource, kept);
}

/** Forgets what a pass has noted of a resource that went meanwhile, after it had been forgotten. */
export function forgetGone(resource: LiveObject, kept: Kept): void {
  const now = kept.stores.of(kept.controller.kind).get(keyOf(resource.metadata));
  if (!now) forgetResource(resource, kept);
  else if (now.metadata.uid !== resource.metadata.uid) forgetUid(resource, kept);
}

/** Forgets what is kept of an object that somebody owned and that is gone. */
export function forgetOwned(
  { metadata: { uid } }: LiveObject,
  { settled, restraint }: Pick<Workplace, 'settled' | 'restraint'>,
): void {
  settled.forget(uid);
  restraint.forget(uid);
}

function forgetUid({ metadata: { uid } }: LiveObject, { lastAccepted, rendered }: Kept): void {
  lastAccepted.forget(uid);
  rendered?.forget(uid);
}
