import type { Dispatcher } from 'undici';

/** An answer, whole. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What ends a request before its answer has come. */
export interface Patience {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that it may take in all, the wait for a connection included. */
  readonly within: number;
}

/**
 * Sends a request and takes its whole answer in. The library's own way makes a stream of each body and listens to it with
 * promises, which is a sixth of what a small request costs.
 * @throws the signal's reason, or why there is no answer
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  patience: Patience,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal } = patience;
    if (signal?.aborted) return reject(signal.reason);
    const hearing = new Hearing(patience, { resolve, reject });
    try {
      dispatcher.dispatch(options, hearing);
    } catch (error) {
      hearing.end(error);
    }
  });
}

/** Hears what becomes of one request. */
class Hearing implements Dispatcher.DispatchHandler {
  readonly #timer: NodeJS.Timeout;
  readonly #abort = () => this.end(this.patience.signal?.reason);
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #ended: Error | undefined;
  #answer: Omit<Answer, 'text'> = { statusCode: 0, headers: {} };

  constructor(
    readonly patience: Patience,
    readonly promise: { readonly resolve: (answer: Answer) => void; readonly reject: (why: unknown) => void },
  ) {
    const { signal, within } = patience;
    this.#timer = setTimeout(() => this.end(new Error(`no whole answer in ${within} ms`)), within);
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Gives the request up. */
  end(why: unknown): void {
    this.#release();
    this.#ended = why instanceof Error ? why : new Error(String(why));
    this.#controller?.abort(this.#ended);
    this.promise.reject(why);
  }

  /** Called more than once, when the connection that was to carry it breaks before. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(this.#ended);
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: Answer['headers']): void {
    this.#answer = { statusCode, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#release();
    const [first, ...more] = this.#chunks;
    const whole = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.promise.resolve({ ...this.#answer, text: whole.toString('utf8') });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    this.promise.reject(error);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.patience.signal?.removeEventListener('abort', this.#abort);
  }
}
