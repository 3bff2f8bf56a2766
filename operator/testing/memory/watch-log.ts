import { ApiError } from '../../runtime/kubernetes/errors.js';
import { compareVersions, type LiveObject } from '../../runtime/kubernetes/object.js';
import type { WatchEvent, WatchQuery } from '../../runtime/ports/cluster.js';

/** One write: an object before and after. One of them is missing if the object was created or deleted. */
export interface LoggedChange {
  readonly version: string;
  readonly before?: LiveObject | undefined;
  readonly after?: LiveObject | undefined;
}

/** The changes of the objects of one kind, for watches from some version on. */
export class WatchLog {
  #changes: LoggedChange[] = [];
  /** Changes before this version were discarded. */
  #oldest = '0';
  #bookmark = { count: 0, version: '0' };
  #ended = 0;
  #waiting: (() => void)[] = [];

  add(change: LoggedChange): void {
    this.#changes.push(change);
    this.#stir();
  }

  /** Sends a bookmark to all watches. */
  bookmark(version: string): void {
    this.#bookmark = { count: this.#bookmark.count + 1, version };
    this.#stir();
  }

  /** Discards the changes until now. Watches that have not received them must list again. */
  expire(version: string): void {
    this.#oldest = version;
    this.#changes = [];
    this.#stir();
  }

  /** Ends the open watches, as a server does from time to time. */
  end(): void {
    this.#ended++;
    this.#stir();
  }

  async *follow({
    resourceVersion,
    signal,
    ...scope
  }: WatchQuery & { resourceVersion: string }): AsyncGenerator<WatchEvent> {
    const aborted = rejectionOf(signal);
    const ended = this.#ended;
    let seen = resourceVersion;
    let marked = this.#bookmark.count;
    while (this.#ended === ended) {
      signal?.throwIfAborted();
      if (compareVersions(seen, this.#oldest) < 0) throw expired(seen);
      const next = this.#firstAfter(seen);
      if (next) {
        seen = next.version;
        const event = eventOf(next, (object) => isSelected(object, scope));
        if (event) yield event;
      } else if (marked < this.#bookmark.count) {
        marked = this.#bookmark.count;
        if (compareVersions(this.#bookmark.version, seen) < 0) continue; // the watch has already received later changes
        seen = this.#bookmark.version;
        yield { type: 'BOOKMARK', resourceVersion: seen };
      } else await Promise.race([this.#news(), aborted]);
    }
  }

  /** The changes are in the order of their versions, so half of the rest is left out at each step. */
  #firstAfter(seen: string): LoggedChange | undefined {
    let [from, to] = [0, this.#changes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compareVersions(this.#changes[middle]?.version ?? '', seen) > 0) to = middle;
      else from = middle + 1;
    }
    return this.#changes[from];
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #stir(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

const sizes = new WeakMap<LiveObject, number>();

/** Length of an object as JSON. Stored objects never change, and lists return them again and again. */
export function sizeOf(object: LiveObject): number {
  const known = sizes.get(object) ?? JSON.stringify(object).length;
  sizes.set(object, known);
  return known;
}

/** True if an object matches a namespace and a label selector of `name` and `name=value`, separated by commas. */
export function isSelected(
  { metadata }: LiveObject,
  { namespace, labelSelector }: { namespace?: string | undefined; labelSelector?: string | undefined },
): boolean {
  if (namespace && metadata.namespace !== namespace) return false;
  const wanted = (labelSelector ?? '').split(',').filter((part) => part !== '');
  return wanted.every((part) => {
    const [label = '', value] = part.split('=');
    const has = metadata.labels && Object.hasOwn(metadata.labels, label) ? metadata.labels[label] : undefined;
    return has !== undefined && (value === undefined || has === value);
  });
}

/** The event of a change for a watch with a selector. An object that no longer matches counts as deleted. */
function eventOf(
  { version, before, after }: LoggedChange,
  watchesSiblings: (object: LiveObject) => boolean,
): WatchEvent | undefined {
  const saw = before !== undefined && watchesSiblings(before);
  if (after && watchesSiblings(after)) {
    return { type: saw ? 'MODIFIED' : 'ADDED', object: handedOut(after), bytes: sizeOf(after) };
  }
  if (!saw) return undefined;
  const metadata = { ...before.metadata, resourceVersion: version };
  return { type: 'DELETED', object: { ...handedOut(before), metadata }, bytes: sizeOf(before) };
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  rejection.catch(() => {}); // no consumer may be left
  return rejection;
}

function expired(version: string): ApiError {
  return new ApiError(`watch: too old resource version: ${version}`, { code: 410, reason: 'Expired' });
}

/** An object for a caller: itself, because it is frozen. An object that is nested too deep to be frozen is copied. */
export function handedOut<T extends LiveObject | undefined>(object: T): T {
  return object === undefined || Object.isFrozen(object) ? object : copyOf(object);
}

/** A deep copy of plain JSON. Several times as fast as `structuredClone`, which supports more types. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)])) as T;
}
