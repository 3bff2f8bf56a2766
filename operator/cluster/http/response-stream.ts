import type { Dispatcher } from 'undici';
import { type Head, ResponseHandler } from './response-handler.js';

/** The number of unread bytes after which the server is asked to wait, through TCP flow control. */
const mostWaiting = 1024 ** 2;

/** The chunks of a body since the last read, until its end. */
export type Pieces = AsyncGenerator<readonly Buffer[], void>;

/** A response whose body continues for as long as it is read. */
export interface ResponseStream extends Head {
  /** The request ends when the reader stops. */
  readonly pieces: Pieces;
}

/** How a request ends early. */
export interface Ending {
  readonly signal: AbortSignal | undefined;
  /** The error to throw when the body breaks off, given its cause. */
  readonly failure: (why: unknown) => unknown;
}

/**
 * Sends a request and returns its response as it arrives.
 * @throws the signal's reason, or the cause of a missing response
 */
export function responseStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  ending: Ending,
): Promise<ResponseStream> {
  return new Promise((resolve, reject) => new Flow(ending, { resolve, reject }).send(dispatcher, options));
}

/** Buffers the unread chunks. */
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
    if (broken) this.head.reject(broken.why); // once the response has started, no caller receives this
    this.#wake();
  }

  async *#pieces(): Pieces {
    try {
      for (;;) {
        // Data that arrived before the end is returned first.
        if (this.#waiting.length > 0) yield this.#taken();
        else if (this.end?.broken) throw this.ending.failure(this.end.broken.why);
        else if (this.end) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      if (!this.end) this.giveUp(new Error('the reader stopped'));
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
