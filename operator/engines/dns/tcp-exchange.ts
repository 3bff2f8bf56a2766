import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import type { DnsServer } from '../../dns/dns-records.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';

/** How a request is sent. */
export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds until the exchange ends. @default 10000 */
  readonly timeout?: number;
  /** Throws if the request must not be sent any more. Called right before it is. @default - it may always be sent */
  readonly mayLeave?: () => void;
  /** The servers to which it may connect. */
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** The address and port of a server, for messages. */
export function addressOf({ server, port = 53 }: DnsServer): string {
  return `${isIPv6(server) ? `[${server}]` : server}:${port}`;
}

/**
 * Sends one message over a new TCP connection, and resolves with the first message that comes back.
 *
 * @param message creates the bytes when the server is connected. Its errors are thrown as they are
 * @throws {CallError} `unreachable` if no message comes back, and `terminal` if the server must not be connected to
 * @throws the reason of the signal if that aborts
 */
export async function exchange(
  to: DnsServer,
  message: () => Buffer,
  { signal, clock, timeout = 10_000, mayLeave, addresses }: ExchangeOptions,
): Promise<Buffer> {
  signal.throwIfAborted();
  const { server: host, port = 53 } = to;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CallError('terminal', `port: Invalid value: ${port}: must be an integer from 1 to 65535`);
  const lookup = addresses.lookupFor(host);
  const { signal: ending, abort, release } = linked(signal);
  const cancel = clock.after(timeout, () => abort(new Error(`no answer within ${timeout} ms`)));
  const socket = connect({ host, port, lookup });
  const end = () => socket.destroy(ending.reason);
  ending.addEventListener('abort', end, { once: true });
  socket.on('error', () => {}); // reported by the promises below, if one waits
  try {
    await orUnreachable(to, signal, false, once(socket, 'connect'));
    mayLeave?.();
    socket.write(framed(message()));
    return await orUnreachable(to, signal, true, frameIn(socket));
  } finally {
    cancel();
    ending.removeEventListener('abort', end);
    release();
    socket.destroy();
  }
}

/** @param mayHaveEffect whether the request was sent */
async function orUnreachable<T>(
  to: DnsServer,
  signal: AbortSignal,
  mayHaveEffect: boolean,
  result: Promise<T>,
): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CallError) throw error;
    // An error of several attempts has no message, only a code.
    const why = messageOf(error) || String((error as { readonly code?: unknown }).code);
    throw new CallError('unreachable', `${addressOf(to)}: ${why}`, { mayHaveEffect });
  }
}

/** A message with its length in front. */
function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

async function frameIn(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.length < 2 ? Number.POSITIVE_INFINITY : bytes.readUInt16BE(0) + 2;
    if (bytes.length >= end) return bytes.subarray(2, end);
  }
  throw new Error('the server closed the connection without an answer');
}
