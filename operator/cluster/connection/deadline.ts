/** How long to wait for a promise. */
export interface Deadline {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly within: number;
  /** What is awaited, for the message. */
  readonly what: string;
}

/**
 * The result of a promise, if it comes in time. A later result is dropped.
 * @throws the signal's reason, or an error about the missing result
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
    timer.unref(); // a promise that never resolves must not block the process
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(end);
  });
}
