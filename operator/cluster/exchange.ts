import type { Dispatcher } from 'undici';
import { type Head, Hearing } from './hearing.js';

/** An answer, whole. */
export interface Answer extends Head {
  readonly text: string;
}

/** What ends a request before its answer has come. */
export interface Patience {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that it may take in all, the wait for a connection included. */
  readonly within: number;
}

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

class Collecting extends Hearing {
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #head: Head = { statusCode: 0, headers: {} };

  constructor(
    { signal, within }: Patience,
    readonly promise: { readonly resolve: (answer: Answer) => void; readonly reject: (why: unknown) => void },
  ) {
    super(signal);
    this.#timer = setTimeout(() => this.giveUp(new Error(`no whole answer in ${within} ms`)), within);
  }

  protected begun(head: Head): void {
    this.#head = head;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  protected over(broken: { readonly why: unknown } | undefined): void {
    clearTimeout(this.#timer);
    if (broken) {
      this.promise.reject(broken.why);
      return;
    }
    const [first, ...more] = this.#chunks;
    const whole = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.promise.resolve({ ...this.#head, text: whole.toString('utf8') });
  }
}
