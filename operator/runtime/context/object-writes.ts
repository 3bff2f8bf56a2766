import { resourceIn, type UnconfirmedWrite } from '../cache/unconfirmed-writes.js';
import { FencedError, isApiError, isObsolete, newer } from '../kubernetes/errors.js';
import { keyOf, type LiveObject, nameOf } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import type { Send } from '../ports/cluster.js';
import { type Desired, describe } from '../rendering/render.js';
import { isUnserved } from './kind-discovery.js';
import type { ControllerContext, ReconcileContext } from './reconcile-context.js';

/**
 * Sends a write of an object that a resource owns, stores the response, and records the write if no response came.
 * @param send resolves to the object as it is now, or undefined if it is gone
 */
export async function write(
  { kind, key }: UnconfirmedWrite,
  context: ReconcileContext,
  send: Send,
): Promise<LiveObject | undefined> {
  const { controller, stores } = context;
  const before = stores.of(kind).get(key);
  try {
    const answer = await stores.of(kind).write(key, send, controller.name);
    if (before && !answer) evictOwned(before, context); // listeners do not receive own deletions
    return answer;
  } catch (error) {
    if (!isAnswer(error) || isObsolete(error)) stores.unconfirmedWrites.note(resourceOf(context), { kind, key });
    throw error;
  }
}

function isLabelled({ metadata }: LiveObject): boolean {
  return metadata.labels?.[controllerLabel] !== undefined;
}

/** True if nothing was sent, or the server reported that it did not carry the write out. */
function isAnswer(error: unknown): boolean {
  if (error instanceof FencedError) return error.cause === undefined;
  return isApiError(error) && error.code >= 400 && error.code < 500;
}

/**
 * Reads the objects of unconfirmed writes, so that the reconcile decides on the actual state. Sends nothing if there
 * are none.
 */
export async function settleUnconfirmedWrites(context: ReconcileContext): Promise<void> {
  const unconfirmedWrites = unconfirmedWritesOf(context);
  if (unconfirmedWrites.length === 0) return;
  await Promise.all(unconfirmedWrites.map((write) => settle(write, context)));
  context.stores.unconfirmedWrites.forget(resourceOf(context));
}

/** The unconfirmed writes of a resource. */
export function unconfirmedWritesOf(context: ReconcileContext): readonly UnconfirmedWrite[] {
  return context.stores.unconfirmedWrites.of(resourceOf(context));
}

function resourceOf({ controller, resource }: ReconcileContext): string {
  return resourceIn(controller.name, keyOf(resource.metadata));
}

/**
 * If the kind is not served, the caches hold nothing that could be outdated. Once it is served, they receive
 * everything.
 */
async function settle(write: UnconfirmedWrite, context: ReconcileContext): Promise<void> {
  try {
    await readLive(write, context);
  } catch (error) {
    if (!isUnserved(error, write.kind, context)) throw error;
  }
}

/** Reads an object and updates the cache. */
export async function readLive(
  { kind, key }: UnconfirmedWrite,
  { cluster, stores, signal }: ReconcileContext,
): Promise<LiveObject | undefined> {
  const store = stores.of(kind);
  const before = store.get(key);
  const live = await cluster.read(kind, nameOf(key), { signal });
  // An object that the watch does not report stays out of the cache, because no event would report its deletion either.
  if (live && !isLabelled(live) && !stores.watchesAll(kind)) store.sawUntold(key, live);
  else store.saw(key, live, before);
  return live;
}

/**
 * The same for an object that was read before, with its complete managed fields.
 * @throws {ApiError} Conflict if it has changed since. The next reconcile tries again
 */
export async function readAgain(desired: Desired, live: LiveObject, context: ReconcileContext): Promise<LiveObject> {
  const now = await readLive(desired, context);
  if (now?.metadata.resourceVersion === live.metadata.resourceVersion) return now as LiveObject;
  throw newer(`${describe(desired)} has changed since it was read`);
}

/** Drops what is kept of an owned object that is gone. */
export function evictOwned(
  { metadata: { uid } }: LiveObject,
  {
    appliedState,
    foreignDeletions,
    writeGuard,
  }: Pick<ControllerContext, 'appliedState' | 'foreignDeletions' | 'writeGuard'>,
): void {
  foreignDeletions?.done(uid);
  appliedState.forget(uid);
  writeGuard.forget(uid);
}
