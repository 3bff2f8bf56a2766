import type { KafkaAccess, KafkaAddress } from '../../../kafka/access.js';
import { aborted, allowManyListeners } from '../../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../../runtime/kubernetes/errors.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { Connections, NodeConnections } from './connections.js';
import { callErrorOf, refusalsOf, refused } from './kafka-errors.js';
import type { Calls } from './library.js';

type CallName = keyof Calls;
type Promised<N extends CallName> = Calls[N]['async'];
type ArgumentsOf<N extends CallName> =
  Parameters<Promised<N>> extends [connection: unknown, ...args: infer A] ? A : never;
type ResponseOf<N extends CallName> = Awaited<ReturnType<Promised<N>>>;

/** How a session sends requests. */
export interface SessionOptions {
  readonly signal: AbortSignal;
  /** Throws if a request must not be sent any more. @default - the requests change nothing */
  readonly mayLeave?: () => void;
}

/** Where a request goes, and how its response is read. */
export interface AskOptions {
  /** @default - the broker that has answered before in this session, or any that answers */
  readonly at?: KafkaAddress;
  /** Milliseconds until it counts as not answering. @default - as long as the signal permits */
  readonly within?: number;
  /** Returns a response that has errors for some of its parts. The caller looks at each `errorCode`. @default false */
  readonly partly?: boolean;
}

/** Requests to one cluster that belong to one question or call. */
export class KafkaSession {
  private constructor(
    private readonly nodes: NodeConnections,
    private readonly options: SessionOptions,
    /** Shared with the session that changes the cluster. */
    private readonly found: { broker?: KafkaAddress } = {},
  ) {}

  /** @throws {CallError} `unauthorized`, if the Secret is not usable */
  static async open(connections: Connections, access: KafkaAccess, options: SessionOptions): Promise<KafkaSession> {
    allowManyListeners(options.signal);
    return new KafkaSession(await connections.of(access, options.signal), options);
  }

  /** The same connections for the requests that change the cluster. */
  changing(mayLeave: () => void): KafkaSession {
    return new KafkaSession(this.nodes, { ...this.options, mayLeave }, this.found);
  }

  /** The broker that answers the requests of this session, once there is one. */
  get broker(): KafkaAddress | undefined {
    return this.found.broker;
  }

  /** The next session begins with another broker. */
  distrust(): void {
    if (this.found.broker) this.nodes.suspect(this.found.broker);
  }

  /**
   * Sends a request. A question goes to the next broker if one does not answer. A change goes to the first one that can
   * be connected, once.
   * @throws {CallError} with the kind of the failure, or the reason of the signal
   */
  async ask<N extends CallName>(name: N, args: ArgumentsOf<N>, options: AskOptions = {}): Promise<ResponseOf<N>> {
    const at = options.at ?? this.found.broker;
    let failure: CallError | undefined;
    for (const address of at ? [at] : this.nodes.bootstrap) {
      try {
        const response = await this.#askAt(address, name, args, options);
        if (!at) {
          this.nodes.prefer(address);
          this.found.broker ??= address;
        }
        return response;
      } catch (error) {
        const isNext = error instanceof CallError && error.kind === 'unreachable' && !error.mayHaveEffect;
        if (!isNext) throw error;
        failure = error;
      }
    }
    throw failure ?? new CallError('unreachable', 'No broker is known', { mayHaveEffect: false });
  }

  /** The failure that an error code in a response means. */
  refusal(code: number, message: string | null | undefined): CallError {
    const { protocolErrorsCodesById, protocolErrors } = this.nodes.loaded.library;
    const name = (protocolErrorsCodesById as Readonly<Record<number, string>>)[code] ?? `ERROR_${code}`;
    const known = (protocolErrors as Readonly<Record<string, { message: string; canRetry: boolean }>>)[name];
    return refused({
      name,
      message: message || known?.message || 'The request failed',
      canRetry: known?.canRetry === true,
    });
  }

  async #askAt<N extends CallName>(
    address: KafkaAddress,
    name: N,
    args: ArgumentsOf<N>,
    { partly = false, within }: AskOptions,
  ): Promise<ResponseOf<N>> {
    const { signal, mayLeave } = this.options;
    const late = within === undefined ? undefined : this.nodes.lateness(address, within);
    const connection = await this.#unlessAborted(this.nodes.to(address), late);
    mayLeave?.();
    const call = this.nodes.loaded.calls[name].async as (...args: readonly unknown[]) => Promise<ResponseOf<N>>;
    const answer = call(connection, ...args).catch((error: unknown): ResponseOf<N> => {
      const { response } = error as { readonly response?: ResponseOf<N> };
      if (partly && response !== undefined && refusalsOf(error).length > 0) return response;
      const failure = callErrorOf(error, `${address.host}:${address.port}`, mayLeave !== undefined);
      // After a timeout the client cannot read the connection any more.
      if (failure.kind === 'unreachable') this.nodes.drop(address);
      throw failure;
    });
    try {
      return await this.#unlessAborted(answer, late);
    } catch (error) {
      // It may hang, so the next question begins with another broker.
      if (signal.aborted || late) this.nodes.suspect(address);
      throw error;
    }
  }

  /** The response of an aborted request is read and ignored, since others use the connection. */
  async #unlessAborted<T>(promise: Promise<T>, late?: Promise<never>): Promise<T> {
    const { signal } = this.options;
    const ended = aborted(signal).then((): never => {
      throw signal.reason instanceof Error ? signal.reason : new Error(messageOf(signal.reason));
    });
    ended.catch(() => {});
    return Promise.race([promise, ended, ...(late ? [late] : [])]);
  }
}
