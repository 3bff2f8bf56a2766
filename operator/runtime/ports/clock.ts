/** Time and chance, as the runtime sees them: a test or a simulation brings its own. */
export interface Clock {
  /** Milliseconds since 1970, for what people read. May jump. */
  now(): number;
  /** Milliseconds since some start, for what is measured. Never goes back. */
  monotonic(): number;
  /** Calls back once after `ms`; what it returns calls that off. */
  after(ms: number, callback: () => void): () => void;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Milliseconds: a timer of the engine that is to wait longer waits not at all. Who is woken early looks again. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longest));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Resolves after `ms`, or as soon as the signal aborts: whoever waits looks at the signal next. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(ms, wake);
    signal.addEventListener('abort', wake);
  });
}
