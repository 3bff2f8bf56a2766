import type { Applying } from './apply.js';
import { FencedError, isApiError, isObsolete, newer } from './errors.js';
import { forgetOwned } from './forget.js';
import { controllerLabel } from './inventory.js';
import { groupKindOf, type ObjectKind } from './kinds.js';
import { keyOf, type LiveObject, nameOf, type ObjectKey } from './object.js';
import { type Desired, describe } from './render.js';
import type { Send } from './send.js';
import { isUnserved } from './where-served.js';

export interface Doubt {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
}

/**
 * Objects of which a write left and no answer came: it may have been carried out or not, and until the watch tells, the
 * cache may be behind what we did ourselves. And objects of which a write met a newer state: a watch that is dead tells of
 * that much later. By the resource for which they were written.
 */
export class Doubts {
  readonly #doubts = new Map<string, Map<string, Doubt>>();

  note(resource: string, doubt: Doubt): void {
    const doubts = this.#doubts.get(resource) ?? new Map<string, Doubt>();
    this.#doubts.set(resource, doubts.set(`${groupKindOf(doubt.kind)} ${doubt.key}`, doubt));
  }

  of(resource: string): readonly Doubt[] {
    return [...(this.#doubts.get(resource)?.values() ?? [])];
  }

  forget(resource: string): void {
    this.#doubts.delete(resource);
  }
}

/** Names a controller's resource among those of all controllers. */
export function resourceIn(controller: string, key: ObjectKey): string {
  return `${controller} ${key}`;
}

/**
 * Sends a write of an object that a resource owns, takes its answer in, and remembers where none came.
 * @param send resolves to the object as it is now, or undefined when it is gone
 */
export async function write({ kind, key }: Doubt, applying: Applying, send: Send): Promise<LiveObject | undefined> {
  const { controller, stores } = applying;
  const before = stores.of(kind).get(key);
  try {
    const answer = await stores.of(kind).write(key, send, controller.name);
    if (before && !answer) forgetOwned(before, applying); // nobody hears of his own removals
    return answer;
  } catch (error) {
    if (!isAnswer(error) || isObsolete(error)) stores.doubts.note(resourceOf(applying), { kind, key });
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
  applying: Applying,
  send: () => Promise<LiveObject>,
): Promise<LiveObject | undefined> {
  return isLabelled(live) ? write({ kind, key: keyOf(live.metadata) }, applying, send) : send();
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
export async function settleDoubts(applying: Applying): Promise<void> {
  const doubts = doubtsOf(applying);
  if (doubts.length === 0) return;
  await Promise.all(doubts.map((doubt) => settle(doubt, applying)));
  applying.stores.doubts.forget(resourceOf(applying));
}

/** What is in doubt of a resource. */
export function doubtsOf(applying: Applying): readonly Doubt[] {
  return applying.stores.doubts.of(resourceOf(applying));
}

function resourceOf({ controller, owner }: Applying): string {
  return resourceIn(controller.name, keyOf(owner.metadata));
}

/** Of a kind that is not served the caches know nothing that could be behind: once it is, they are told all of it. */
async function settle(doubt: Doubt, applying: Applying): Promise<void> {
  try {
    await readLive(doubt, applying);
  } catch (error) {
    if (!isUnserved(error, doubt.kind, applying)) throw error;
  }
}

/** An object as it is now, which the cache learns too. */
export async function readLive(
  { kind, key }: Doubt,
  { cluster, stores, signal }: Applying,
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
export async function readAgain(desired: Desired, live: LiveObject, applying: Applying): Promise<LiveObject> {
  const now = await readLive(desired, applying);
  if (now?.metadata.resourceVersion === live.metadata.resourceVersion) return now as LiveObject;
  throw newer(`${describe(desired)} has changed since it was looked at`);
}
