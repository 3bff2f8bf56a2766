import type { Dispatcher } from 'undici';

/** What an answer says before its body. */
export interface Head {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Hears what becomes of one request, by the library's own events. Its other ways make a stream of each body and listen to
 * it with promises, which is a sixth of what a small request costs.
 *
 * Guarantees: {@link ResponseHandler.over} is called once, whatever ends the request, and nothing listens to its signal then.
 */
export abstract class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #abort = () => this.giveUp(this.#signal?.reason);
  readonly #signal: AbortSignal | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Set when it is over, with why the answer is not whole. */
  protected end: { readonly broken?: { readonly why: unknown } } | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Sends the request that is heard of: called once. */
  send(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): void {
    if (this.#signal?.aborted) {
      this.#abort();
      return;
    }
    this.#signal?.addEventListener('abort', this.#abort, { once: true });
    try {
      dispatcher.dispatch(options, this);
    } catch (error) {
      this.giveUp(error);
    }
  }

  giveUp(why: unknown): void {
    this.#ended({ broken: { why } });
    this.#controller?.abort(errorOf(why));
  }

  /** Called more than once, when the connection that was to carry it breaks before. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.end?.broken) controller.abort(errorOf(this.end.broken.why));
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: Head['headers']): void {
    this.begun({ statusCode, headers });
  }

  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;

  onResponseEnd(): void {
    this.#ended({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#ended({ broken: { why: error } });
  }

  protected abstract begun(head: Head): void;

  /** @param broken why the answer is not whole; undefined where it is */
  protected abstract over(broken: { readonly why: unknown } | undefined): void;

  #ended(end: { readonly broken?: { readonly why: unknown } }): void {
    if (this.end) return;
    this.end = end;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.over(end.broken);
  }
}

function errorOf(why: unknown): Error {
  return why instanceof Error ? why : new Error(String(why));
}
