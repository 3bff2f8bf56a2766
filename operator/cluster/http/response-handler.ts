import type { Dispatcher } from 'undici';

/** The status and the headers of a response. */
export interface Head {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Receives the events of one request from the library. The library's other interfaces create a stream for each body and
 * use promises, which is a sixth of the cost of a small request.
 *
 * Guarantees: {@link ResponseHandler.over} is called once, however the request ends. After that nothing listens to its
 * signal.
 */
export abstract class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #abort = () => this.giveUp(this.#signal?.reason);
  readonly #signal: AbortSignal | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Set at the end of the request, with the cause if the response is incomplete. */
  protected end: { readonly broken?: { readonly why: unknown } } | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Sends the request. Called once. */
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

  /** Called again if the connection breaks before the request is sent on it. */
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

  /** @param broken the cause if the response is incomplete, otherwise undefined */
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
