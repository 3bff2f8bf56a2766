import { request } from 'undici';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { MemberConnections } from './connections.js';
import { connectionError, refusalIn, refused } from './etcd-errors.js';

/** Milliseconds for a question to one member, which takes less than 10. Without a quorum etcd gives up a read after 7,000. */
const patience = 3_000;
/** Milliseconds for a change. etcd gives up most changes after 7,000, but a removal without a quorum never: it waits. */
const changePatience = 8_000;

/** Requests to members that belong to one question or call. */
export interface Gateway {
  readonly connections: MemberConnections;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'after'>;
}

/** A method of etcd's HTTP gateway. */
export type Method =
  | 'cluster/member/add'
  | 'cluster/member/list'
  | 'cluster/member/promote'
  | 'cluster/member/remove'
  | 'kv/range'
  | 'maintenance/status'
  | 'maintenance/transfer-leadership';

/** A request to one member. */
export interface Asked {
  /** Its URL for clients. */
  readonly endpoint: string;
  readonly method: Method;
  readonly body?: object;
  /** Throws if the request must not be sent any more. @default - the request changes nothing */
  readonly mayLeave?: () => void;
}

/** The answer of a member: JSON with its own types. */
export type Answered = Readonly<Record<string, unknown>>;

/**
 * Sends a request to one member.
 * @throws {CallError} with the kind of the failure, or the reason of the signal
 */
export async function ask({ connections, signal: until, clock }: Gateway, asked: Asked): Promise<Answered> {
  const { endpoint, method, body = {}, mayLeave } = asked;
  const within = mayLeave ? changePatience : patience;
  const where = new URL(endpoint).host;
  until.throwIfAborted();
  const { signal, abort, release } = linked(until);
  const late = () => abort(new CallError('unreachable', `${where} does not answer within ${within} ms`));
  const cancel = clock.after(within, late);
  mayLeave?.();
  try {
    const headers = { 'content-type': 'application/json' };
    const url = new URL(`/v3/${method}`, endpoint);
    const { dispatcher } = connections;
    const options = { dispatcher, signal, method: 'POST' as const, headers, body: JSON.stringify(body) };
    const { statusCode, body: content } = await request(url, options);
    const text = await content.text();
    if (statusCode !== 200) throw refused(refusalIn(statusCode, text));
    return JSON.parse(text) as Answered;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CallError) throw error;
    throw connectionError(connections.tlsErrorOf(endpoint) ?? error, where, mayLeave !== undefined);
  } finally {
    cancel();
    release();
  }
}
