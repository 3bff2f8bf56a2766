import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import type { DnsServer } from '../../dns/dns-records.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';

/** How a server is reached. */
export interface ConnectOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds until the server is connected, and from then on between two messages of it. @default 10000 */
  readonly timeout?: number;
  /** The servers to which it may connect. */
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** How a request is sent. */
export interface ExchangeOptions extends ConnectOptions {
  /** Throws if the request must not be sent any more. Called right before it is. @default - it may always be sent */
  readonly mayLeave?: () => void;
}

/** The address and port of a server, for messages. */
export function addressOf({ server, port = 53 }: DnsServer): string {
  return `${isIPv6(server) ? `[${server}]` : server}:${port}`;
}

/**
 * Connects to a server.
 * @throws {CallError} `unreachable` if it does not accept the connection, and `terminal` if it must not be connected to
 * @throws the reason of the signal if that aborts
 */
export async function connectTo(to: DnsServer, options: ConnectOptions): Promise<DnsConnection> {
  const { signal, addresses } = options;
  signal.throwIfAborted();
  const { server: host, port = 53 } = to;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CallError('terminal', `port: Invalid value: ${port}: must be an integer from 1 to 65535`);
  const lookup = addresses.lookupFor(host);
  const connection = new DnsConnection(addressOf(to), connect({ host, port, lookup }), options);
  await connection.opened();
  return connection;
}

/** The promise of an answer. */
interface Waiting {
  readonly resolve: (message: Buffer) => void;
  readonly reject: (reason: unknown) => void;
}

/** A connection to a server. Close it after use. */
export class DnsConnection {
  /** Messages without an answer, by their IDs. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #ending: AbortSignal;
  readonly #release: () => void;
  readonly #abort: (reason: unknown) => void;
  #cancel = () => {};
  #received: Buffer = Buffer.alloc(0);
  #failure: unknown;

  constructor(
    readonly at: string,
    readonly socket: Socket,
    readonly options: ConnectOptions,
  ) {
    const { signal, abort, release } = linked(options.signal);
    this.#ending = signal;
    this.#abort = abort;
    this.#release = release;
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('end', () => this.#fail(new Error('the server closed the connection without an answer')));
    socket.on('close', () => this.#fail(new Error('the connection is closed')));
    this.#startTimer();
  }

  async opened(): Promise<void> {
    try {
      await once(this.socket, 'connect');
      this.#cancel();
    } catch (error) {
      this.close();
      throw this.#reasonOf(error, false);
    }
  }

  /**
   * Sends a message at once, also while others have no answer yet. Resolves with the message that has its ID. A message
   * with an unknown ID answers the oldest one, which cannot accept it.
   * @throws {CallError} `unreachable` if none comes back
   * @throws the reason of the signal if that aborts
   */
  async send(message: Buffer): Promise<Buffer> {
    if (this.#failure !== undefined) throw this.#reasonOf(this.#failure, false);
    return new Promise<Buffer>((resolve, reject) => {
      this.#waiting.set(message.readUInt16BE(0), { resolve, reject });
      this.socket.write(framed(message));
      this.#startTimer();
    });
  }

  close(): void {
    this.#cancel();
    this.#release();
    this.socket.destroy();
  }

  #startTimer(): void {
    const { clock, timeout = 10_000 } = this.options;
    this.#cancel();
    this.#cancel = clock.after(timeout, () => this.#abort(new Error(`no answer within ${timeout} ms`)));
  }

  #hear(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 2) {
      const end = this.#received.readUInt16BE(0) + 2;
      if (this.#received.length < end) return;
      const message = this.#received.subarray(2, end);
      this.#received = this.#received.subarray(end);
      const id = message.length < 2 ? -1 : message.readUInt16BE(0);
      const [oldest] = this.#waiting.keys();
      const known = this.#waiting.has(id) ? id : oldest;
      if (known === undefined) continue;
      this.#waiting.get(known)?.resolve(message);
      this.#waiting.delete(known);
      if (this.#waiting.size > 0) this.#startTimer();
      else this.#cancel();
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#cancel();
    for (const { reject } of waiting) reject(this.#reasonOf(this.#failure, true));
  }

  /** @param mayHaveEffect whether a request was sent */
  #reasonOf(error: unknown, mayHaveEffect: boolean): unknown {
    if (this.options.signal.aborted) return this.options.signal.reason;
    if (error instanceof CallError) return error;
    const reason = this.#ending.aborted ? this.#ending.reason : error;
    // An error of several attempts has no message, only a code.
    const why = messageOf(reason) || String((reason as { readonly code?: unknown }).code);
    return new CallError('unreachable', `${this.at}: ${why}`, { mayHaveEffect });
  }
}

/**
 * Sends one message over a new TCP connection, and resolves with the first message that comes back.
 *
 * @param message creates the bytes when the server is connected. Its errors are thrown as they are
 * @throws as {@link connectTo} and {@link DnsConnection.send} do
 */
export async function exchange(
  to: DnsServer,
  message: () => Buffer,
  { mayLeave, ...options }: ExchangeOptions,
): Promise<Buffer> {
  const connection = await connectTo(to, options);
  try {
    mayLeave?.();
    return await connection.send(message());
  } finally {
    connection.close();
  }
}

/** A message with its length in front. */
function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
