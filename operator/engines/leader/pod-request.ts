import { isIP, isIPv6 } from 'node:net';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';

/** How Pods are reached. */
export interface PodAccess {
  readonly clock: Pick<Clock, 'after'>;
  /** Why an address is refused. Undefined if it is not. */
  readonly refusal: (address: string) => string | undefined;
}

/** A request to a program in a Pod. */
export interface PodRequest {
  readonly address: string;
  readonly port: number;
  readonly path: string;
  /** Milliseconds for everything. */
  readonly timeout: number;
  /** A bearer token, which reaches no message. */
  readonly token?: string | undefined;
  /** Sent by POST. @default - nothing, by GET */
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** Bytes of the longest answer. */
const longest = 65_536;

/** Refuses an address that is none of a Pod. @throws {CallError} `terminal` */
export function checkPodAddress(address: string, { refusal }: Pick<PodAccess, 'refusal'>): void {
  const why = isIP(address) === 0 ? 'no IP address' : refusal(address);
  if (why !== undefined) throw new CallError('terminal', `address ${JSON.stringify(address)} of a Pod is ${why}`);
}

/** The text of an answer, and its status. Redirects are not followed. @throws {Error} with the cause, for people */
export async function askPod(
  { address, port, path, timeout, token, body, signal: outer }: PodRequest,
  access: PodAccess,
): Promise<{ readonly status: number; readonly text: string }> {
  checkPodAddress(address, access);
  outer.throwIfAborted();
  const { signal, abort, release } = linked(outer);
  const cancel = access.clock.after(timeout, () => abort(new Error(`no answer within ${timeout} ms`)));
  try {
    const response = await fetch(`http://${isIPv6(address) ? `[${address}]` : address}:${port}${path}`, {
      ...{ method: body ? 'POST' : 'GET', redirect: 'error', signal },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await boundedText(response) };
  } catch (error) {
    outer.throwIfAborted();
    const { cause } = error as { readonly cause?: unknown };
    throw new Error(messageOf(signal.aborted ? signal.reason : (cause ?? error)));
  } finally {
    cancel();
    release();
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > longest) throw new Error(`the answer has more than ${longest} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Asks all at once, so that one that hangs holds up no other. */
export async function askEach<T extends { readonly name: string }, A>(
  all: readonly T[],
  ask: (one: T) => Promise<A>,
  signal: AbortSignal,
): Promise<{ readonly answers: Readonly<Record<string, A>>; readonly silent: Readonly<Record<string, string>> }> {
  const told = await Promise.allSettled(all.map(ask));
  signal.throwIfAborted();
  const answers: Record<string, A> = {};
  const silent: Record<string, string> = {};
  for (const [at, { name }] of all.entries()) {
    const one = told[at];
    if (one?.status === 'fulfilled') answers[name] = one.value;
    else silent[name] = messageOf(one?.reason);
  }
  return { answers, silent };
}
