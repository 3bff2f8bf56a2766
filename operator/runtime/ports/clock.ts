/** Time and randomness as the runtime sees them. A test or a simulation supplies its own. */
export interface Clock {
  /** Milliseconds since 1970, for times that people read. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start, for durations. Never decreases. */
  monotonic(): number;
  /** Calls back once after `ms`. The returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Milliseconds. A timer of Node.js with a longer delay fires at once. Code that is woken early checks again. */
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

/** Resolves after `ms`, or as soon as the signal aborts. The caller checks the signal next. */
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
