import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HostLookup } from '../../../egress/connections.js';
import { linked } from '../../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../../runtime/kubernetes/errors.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';

/** Bytes of a response. A server has about 150 in a list. */
const longest = 4 * 1_048_576;
/** Milliseconds for one command, which takes less than 10. */
const patience = 5_000;

/** How commands reach a HAProxy. */
export interface RuntimeApi {
  /** Host and port. An IPv6 address has brackets. */
  readonly address: string;
  readonly lookup: HostLookup;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
}

/**
 * Sends one command over a connection of its own, which HAProxy closes after the response.
 * @param command one line, without a semicolon from a resource
 * @throws {CallError} `unreachable` if no response comes back, and `terminal` if the address must not be connected to
 * @throws the reason of the signal if that aborts
 */
export async function runCommand(api: RuntimeApi, command: string, mayLeave?: () => void): Promise<string> {
  const { address, lookup, clock, signal: until } = api;
  until.throwIfAborted();
  const { host, port } = hostAndPort(address);
  const guarded = lookup(host);
  const { signal, abort, release } = linked(until);
  const cancel = clock.after(patience, () => abort(new Error(`no answer within ${patience} ms`)));
  const socket = connect({ host, port, lookup: guarded });
  signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
  socket.on('error', () => {}); // reported by the promises below, if one waits
  const orUnreachable = async <T>(result: Promise<T>, mayHaveEffect: boolean) => {
    try {
      return await result;
    } catch (error) {
      if (until.aborted) throw until.reason;
      throw new CallError('unreachable', `${address}: ${whyOf(error)}`, { mayHaveEffect });
    }
  };
  try {
    await orUnreachable(once(socket, 'connect'), false);
    mayLeave?.();
    socket.write(`${command}\n`);
    return await orUnreachable(textOf(socket), true);
  } finally {
    cancel();
    release();
    socket.destroy();
  }
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > longest) throw new Error(`the response has more than ${longest} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

/** An error of several attempts has no message, only a code. */
function whyOf(error: unknown): string {
  return messageOf(error) || String((error as { readonly code?: unknown }).code);
}

/** @throws {CallError} `terminal`, if the text is no address */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const [, inBrackets, plain, port] = /^(?:\[([\da-f:.]+)\]|([^[\]:\s]+)):(\d{1,5})$/i.exec(address) ?? [];
  const host = inBrackets ?? plain;
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return { host, port: Number(port) };
  const must = 'must be a host and a port, for example 10.0.0.9:9999 or [2001:db8::9]:9999';
  throw new CallError('terminal', `address: Invalid value: ${JSON.stringify(address)}: ${must}`);
}
