import type { Dispatcher } from 'undici';
import { type Head, ResponseHandler } from './response-handler.js';

/** A complete response. */
export interface Answer extends Head {
  /** Undefined if it exceeds the limit. */
  readonly text: string | undefined;
}

/** The limits that end a request before its response is complete. */
export interface Patience {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for the whole request, including the wait for a connection. */
  readonly within: number;
  /** The maximum number of bytes. */
  readonly most: number;
}

/** The reason for ending a request whose response exceeds the limit. */
const enough = new Error('the response exceeds the limit');

/**
 * Sends a request and reads the complete response.
 * @throws the signal's reason, or the cause of a missing response
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  patience: Patience,
): Promise<Answer> {
  return new Promise((resolve, reject) => new Collecting(patience, { resolve, reject }).send(dispatcher, options));
}

class Collecting extends ResponseHandler {
  readonly #timer: NodeJS.Timeout;
  readonly #most: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Head = { statusCode: 0, headers: {} };

  constructor(
    { signal, within, most }: Patience,
    readonly promise: { readonly resolve: (answer: Answer) => void; readonly reject: (why: unknown) => void },
  ) {
    super(signal);
    this.#most = most;
    this.#timer = setTimeout(() => this.giveUp(new Error(`no complete response in ${within} ms`)), within);
  }

  protected begun(head: Head): void {
    this.#head = head;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#most) this.giveUp(enough);
    else this.#chunks.push(chunk);
  }

  protected over(broken: { readonly why: unknown } | undefined): void {
    clearTimeout(this.#timer);
    try {
      if (broken && broken.why !== enough) throw broken.why;
      this.promise.resolve({ ...this.#head, text: broken ? undefined : textIn(this.#chunks) });
    } catch (why) {
      this.promise.reject(why); // also if it cannot be decoded, because nothing else would end the request
    }
  }
}

function textIn(chunks: readonly Buffer[]): string {
  const [first, ...more] = chunks;
  const whole = first && more.length === 0 ? first : Buffer.concat(chunks);
  return whole.toString('utf8');
}
