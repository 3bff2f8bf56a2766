import { setMaxListeners } from 'node:events';

/** Resolves when a signal aborts, at once if it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A signal that aborts with any of its sources, and lets go of them. */
interface Linked {
  readonly signal: AbortSignal;
  /** Aborts it alone, as a source of its own would. */
  abort(reason: unknown): void;
  /** To be called when the signal is not needed any more. */
  release(): void;
}

/** Signals that many wait for: all watches of a process, all writes of a pass. Node takes more than ten for a leak. */
const shared = new WeakSet<AbortSignal>();

/**
 * One signal for several sources. Unlike `AbortSignal.any`, which on Node 20 leaves an entry behind on a source for
 * every signal that was ever derived from it, this leaves nothing: sources may live as long as the process.
 */
export function linked(...sources: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController();
  const listeners = sources.flatMap((source) => {
    if (!source) return [];
    if (source.aborted) controller.abort(source.reason);
    const abort = () => controller.abort(source.reason);
    share(source);
    source.addEventListener('abort', abort, { once: true });
    return [{ source, abort }];
  });
  const release = () => {
    for (const { source, abort } of listeners) source.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), release };
}

/** Lets many wait for a signal. Once for each: for every request anew it would be a thirtieth of what an operator costs. */
function share(source: AbortSignal): void {
  if (shared.has(source)) return;
  shared.add(source);
  setMaxListeners(0, source);
}

interface Link extends Linked {
  readonly to: AbortSignal;
  /** Those that wait for it. */
  users: number;
}

/**
 * Signals that abort with either of two, made once for all that wait for the same two at a time: a pass writes many
 * objects at once, and a signal for each is a thirtieth of what its writes cost.
 */
export class SharedLinks {
  readonly #links = new WeakMap<AbortSignal, Link>();

  /** To be released by each that takes it; after the last one nothing is left behind on either. */
  take(one: AbortSignal, other: AbortSignal): Omit<Linked, 'abort'> {
    const known = this.#links.get(one);
    const link = known?.to === other ? known : this.#made(one, other);
    link.users++;
    return { signal: link.signal, release: () => this.#release(one, link) };
  }

  #made(one: AbortSignal, other: AbortSignal): Link {
    const link = { ...linked(one, other), to: other, users: 0 };
    share(link.signal);
    this.#links.set(one, link);
    return link;
  }

  #release(one: AbortSignal, link: Link): void {
    if (--link.users > 0) return;
    link.release();
    if (this.#links.get(one) === link) this.#links.delete(one);
  }
}
