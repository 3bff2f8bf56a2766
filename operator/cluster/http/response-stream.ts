import type { Dispatcher } from 'undici';
import { type Head, ResponseHandler } from './response-handler.js';

/** Bytes that wait to be taken before the server is asked to wait, as far as TCP does so. */
const mostWaiting = 1024 ** 2;

/** What has come of a body since it was asked last, again and again until its end. */
export type Pieces = AsyncGenerator<readonly Buffer[], void>;

/** An answer whose body goes on for as long as somebody takes it. */
export interface ResponseStream extends Head {
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
 * Sends a request and gives its answer as it comes.
 * @throws the signal's reason, or why there is no answer
 */
export function responseStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  ending: Ending,
): Promise<ResponseStream> {
  return new Promise((resolve, reject) => new Flow(ending, { resolve, reject }).send(dispatcher, options));
}

/** Keeps what was not taken yet. */
class Flow extends ResponseHandler {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #wake = () => {};
  #paused: Dispatcher.DispatchController | undefined;

  constructor(
    readonly ending: Ending,
    readonly head: { readonly resolve: (answer: ResponseStream) => void; readonly reject: (why: unknown) => void },
  ) {
    super(ending.signal);
  }

  protected begun(head: Head): void {
    this.head.resolve({ ...head, pieces: this.#pieces() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > mostWaiting) {
      controller.pause();
      this.#paused = controller;
    }
    this.#wake();
  }

  protected over(broken: { readonly why: unknown } | undefined): void {
    if (broken) this.head.reject(broken.why); // of an answer that has begun nobody hears this
    this.#wake();
  }

  async *#pieces(): Pieces {
    try {
      for (;;) {
        // What was told before the end was told: it comes first.
        if (this.#waiting.length > 0) yield this.#taken();
        else if (this.end?.broken) throw this.ending.failure(this.end.broken.why);
        else if (this.end) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      if (!this.end) this.giveUp(new Error('nobody takes more of it'));
    }
  }

  #taken(): readonly Buffer[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#paused?.resume();
    this.#paused = undefined;
    return taken;
  }
}
