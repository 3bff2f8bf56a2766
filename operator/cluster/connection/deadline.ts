/** How long a promise is waited for. */
export interface Deadline {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly within: number;
  /** What is waited for, for people. */
  readonly what: string;
}

/**
 * What a promise brings, if it does so in time; what it brings later is nobody's.
 * @throws the signal's reason, or that it was not in time
 */
export function withDeadline<T>(promise: Promise<T>, { signal, within, what }: Deadline): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`no ${what} in ${within} ms`));
    }, within);
    timer.unref(); // what never comes keeps no process
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(end);
  });
}
