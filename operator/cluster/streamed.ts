import type { Dispatcher } from 'undici';

/** Bytes that wait to be taken before the server is asked to wait, as far as TCP does so. */
const mostWaiting = 1024 ** 2;

/** What has come of a body since it was asked last, again and again until its end. */
export type Pieces = AsyncGenerator<readonly Buffer[], void>;

/** An answer whose body goes on for as long as somebody takes it. */
export interface Streamed {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whoever stops taking ends the request. */
  readonly pieces: Pieces;
}

/** How a request ends before its time. */
export interface Ending {
  readonly signal: AbortSignal | undefined;
  /** What is thrown when the body breaks off, of why it does. */
  readonly failure: (why: unknown) => unknown;
}

/**
 * Sends a request and gives its answer as it comes. The library's own way makes a stream of each body, of which the
 * iterator takes three turns of promises for each piece: more than what is told in it.
 * @throws the signal's reason, or why there is no answer
 */
export function streamed(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  ending: Ending,
): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const { signal } = ending;
    if (signal?.aborted) return reject(signal.reason);
    const flow = new Flow(ending, { resolve, reject });
    try {
      dispatcher.dispatch(options, flow);
    } catch (error) {
      flow.end(error);
    }
  });
}

/** Hears one answer, and keeps what was not taken yet. */
class Flow implements Dispatcher.DispatchHandler {
  readonly #abort = () => this.end(this.ending.signal?.reason);
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #wake = () => {};
  #over: { readonly why?: unknown } | undefined;

  constructor(
    readonly ending: Ending,
    readonly head: { readonly resolve: (answer: Streamed) => void; readonly reject: (why: unknown) => void },
  ) {
    ending.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Gives the request up. */
  end(why: unknown): void {
    this.#finish({ why });
    this.#controller?.abort(why instanceof Error ? why : new Error(String(why)));
  }

  /** Called more than once, when the connection that was to carry it breaks before. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { why } = this.#over ?? {};
    if (this.#over) controller.abort(why instanceof Error ? why : new Error(String(why)));
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: Streamed['headers']): void {
    this.head.resolve({ statusCode, headers, pieces: this.#pieces() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > mostWaiting) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ why: error });
  }

  async *#pieces(): Pieces {
    try {
      for (;;) {
        // What was told before the end was told: it comes first.
        if (this.#waiting.length > 0) yield this.#taken();
        else if (this.#over && 'why' in this.#over) throw this.ending.failure(this.#over.why);
        else if (this.#over) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      if (!this.#over) this.end(new Error('nobody takes more of it'));
    }
  }

  #taken(): readonly Buffer[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    if (this.#controller?.paused) this.#controller.resume();
    return taken;
  }

  #finish(over: { readonly why?: unknown }): void {
    if (this.#over) return;
    this.#over = over;
    this.ending.signal?.removeEventListener('abort', this.#abort);
    if ('why' in over) this.head.reject(over.why); // of an answer that has begun nobody hears this
    this.#wake();
  }
}
