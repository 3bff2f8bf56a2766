import { setMaxListeners } from 'node:events';

/** Resolves when a signal aborts, or at once if it has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A signal that aborts with any of its sources, and can be detached from them. */
interface Linked {
  readonly signal: AbortSignal;
  /** Aborts only this signal, as another source would. */
  abort(reason: unknown): void;
  /** Must be called when the signal is no longer needed. */
  release(): void;
}

/**
 * Signals with many listeners: all watches of a process, all writes of a reconcile, all requests for one answer. Node.js
 * reports more than ten as a leak.
 */
const shared = new WeakSet<AbortSignal>();

/**
 * One signal for several sources. On Node.js 20, `AbortSignal.any` leaves an entry on a source for every signal that
 * was derived from it. This function leaves nothing, so sources may live as long as the process.
 */
export function linked(...sources: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController();
  const listeners = sources.flatMap((source) => {
    if (!source) return [];
    if (source.aborted) controller.abort(source.reason);
    const abort = () => controller.abort(source.reason);
    allowManyListeners(source);
    source.addEventListener('abort', abort, { once: true });
    return [{ source, abort }];
  });
  const release = () => {
    for (const { source, abort } of listeners) source.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), release };
}

/**
 * Allows many listeners on a signal. Done once for each signal: repeating it for each request would be a thirtieth of
 * an operator's cost.
 */
export function allowManyListeners(source: AbortSignal): void {
  if (shared.has(source)) return;
  shared.add(source);
  setMaxListeners(0, source);
}

interface Link extends Linked {
  readonly to: AbortSignal;
  /** The number of users that wait for it. */
  users: number;
}

/**
 * Signals that abort with either of two sources, created once for all that wait for the same two. A reconcile writes
 * many objects at once, and a signal for each would be a thirtieth of the cost of its writes.
 */
export class SharedLinks {
  readonly #links = new WeakMap<AbortSignal, Link>();

  /** Each user must release the signal. After the last release nothing is left on either source. */
  take(one: AbortSignal, other: AbortSignal): Omit<Linked, 'abort'> {
    const known = this.#links.get(one);
    const link = known?.to === other ? known : this.#made(one, other);
    link.users++;
    return { signal: link.signal, release: () => this.#release(one, link) };
  }

  #made(one: AbortSignal, other: AbortSignal): Link {
    const link = { ...linked(one, other), to: other, users: 0 };
    allowManyListeners(link.signal);
    this.#links.set(one, link);
    return link;
  }

  #release(one: AbortSignal, link: Link): void {
    if (--link.users > 0) return;
    link.release();
    if (this.#links.get(one) === link) this.#links.delete(one);
  }
}
