import { setMaxListeners } from 'node:events';

/** A signal that aborts with any of its sources, and lets go of them. */
export interface Linked {
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
export function share(source: AbortSignal): void {
  if (shared.has(source)) return;
  shared.add(source);
  setMaxListeners(0, source);
}
