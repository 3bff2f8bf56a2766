import { resourceIn, type UnconfirmedWrite } from '../cache/unconfirmed-writes.js';
import { FencedError, isApiError, isObsolete, newer } from '../kubernetes/errors.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject, nameOf } from '../kubernetes/object.js';
import { controllerLabel, managerOf } from '../kubernetes/well-known-names.js';
import { overVersion, type PatchOperation, type Send } from '../ports/cluster.js';
import { type Desired, describe } from '../rendering/render.js';
import { isUnserved } from './kind-discovery.js';
import type { ControllerContext, ReconcileContext } from './reconcile-context.js';

/**
 * Sends a write of an object that a resource owns, takes its answer in, and remembers where none came.
 * @param send resolves to the object as it is now, or undefined when it is gone
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
    if (before && !answer) evictOwned(before, context); // nobody hears of his own removals
    return answer;
  } catch (error) {
    if (!isAnswer(error) || isObsolete(error)) stores.unconfirmedWrites.note(resourceOf(context), { kind, key });
    throw error;
  }
}

/**
 * The same of an object of which it is not certain that the watch tells: somebody may have taken our label off. What no watch
 * shows is kept out of the cache, where nothing would bring it up to date, or take it out again.
 */
export function writeIfTold(
  kind: ObjectKind,
  live: LiveObject,
  context: ReconcileContext,
  send: () => Promise<LiveObject>,
): Promise<LiveObject | undefined> {
  return isLabelled(live) ? write({ kind, key: keyOf(live.metadata) }, context, send) : send();
}

function isLabelled({ metadata }: LiveObject): boolean {
  return metadata.labels?.[controllerLabel] !== undefined;
}

/** True where nothing was sent, or the server said that it did not do it. */
function isAnswer(error: unknown): boolean {
  if (error instanceof FencedError) return error.cause === undefined;
  return isApiError(error) && error.code >= 400 && error.code < 500;
}

/** Reads what is in doubt, so that the pass decides on what is there. Sends nothing where nothing is. */
export async function settleUnconfirmedWrites(context: ReconcileContext): Promise<void> {
  const unconfirmedWrites = unconfirmedWritesOf(context);
  if (unconfirmedWrites.length === 0) return;
  await Promise.all(unconfirmedWrites.map((doubt) => settle(doubt, context)));
  context.stores.unconfirmedWrites.forget(resourceOf(context));
}

/** What is in doubt of a resource. */
export function unconfirmedWritesOf(context: ReconcileContext): readonly UnconfirmedWrite[] {
  return context.stores.unconfirmedWrites.of(resourceOf(context));
}

function resourceOf({ controller, resource }: ReconcileContext): string {
  return resourceIn(controller.name, keyOf(resource.metadata));
}

/** Of a kind that is not served the caches know nothing that could be behind: once it is, they are told all of it. */
async function settle(doubt: UnconfirmedWrite, context: ReconcileContext): Promise<void> {
  try {
    await readLive(doubt, context);
  } catch (error) {
    if (!isUnserved(error, doubt.kind, context)) throw error;
  }
}

/** An object as it is now, which the cache learns too. */
export async function readLive(
  { kind, key }: UnconfirmedWrite,
  { cluster, stores, signal }: ReconcileContext,
): Promise<LiveObject | undefined> {
  const store = stores.of(kind);
  const before = store.get(key);
  const live = await cluster.read(kind, nameOf(key), { signal });
  // What the watch does not tell must not come in: nobody would tell of its end either.
  if (live && !isLabelled(live) && !stores.watchesAll(kind)) store.sawUntold(key, live);
  else store.saw(key, live, before);
  return live;
}

/**
 * The same of an object that was looked at, with all of who manages its fields.
 * @throws {ApiError} Conflict when it has changed since: the next pass tries again
 */
export async function readAgain(desired: Desired, live: LiveObject, context: ReconcileContext): Promise<LiveObject> {
  const now = await readLive(desired, context);
  if (now?.metadata.resourceVersion === live.metadata.resourceVersion) return now as LiveObject;
  throw newer(`${describe(desired)} has changed since it was looked at`);
}

/** Forgets what is kept of an object that somebody owned and that is gone. */
export function evictOwned(
  { metadata: { uid } }: LiveObject,
  { appliedState, writeGuard }: Pick<ControllerContext, 'appliedState' | 'writeGuard'>,
): void {
  appliedState.forget(uid);
  writeGuard.forget(uid);
}

/**
 * Sends a patch of what a resource owns, in the version that was looked at. What it does not name stays, whoever stated it.
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
export function patching(
  kind: ObjectKind,
  live: LiveObject,
  operations: readonly PatchOperation[],
  { cluster, controller, telemetry, signal }: ReconcileContext,
): () => Promise<LiveObject> {
  return () => {
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
    const patch = [overVersion(live), ...operations];
    return cluster.patch(kind, live.metadata, patch, { manager: managerOf(controller.name), signal });
  };
}
