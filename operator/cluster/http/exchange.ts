import type { Dispatcher } from 'undici';
import { type Head, ResponseHandler } from './response-handler.js';

/** An answer, whole. */
export interface Answer extends Head {
  /** Undefined where it is longer than what is taken in. */
  readonly text: string | undefined;
}

/** What ends a request before its answer has come. */
export interface Patience {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that it may take in all, the wait for a connection included. */
  readonly within: number;
  /** Bytes that are taken in. */
  readonly most: number;
}

/** Why a request is ended of which more came than that. */
const enough = new Error('more came than is taken in');

/**
 * Sends a request and takes its whole answer in.
 * @throws the signal's reason, or why there is no answer
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
    this.#timer = setTimeout(() => this.giveUp(new Error(`no whole answer in ${within} ms`)), within);
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
      this.promise.reject(why); // also of what cannot be put together: nothing else would end the request any more
    }
  }
}

function textIn(chunks: readonly Buffer[]): string {
  const [first, ...more] = chunks;
  const whole = first && more.length === 0 ? first : Buffer.concat(chunks);
  return whole.toString('utf8');
}
