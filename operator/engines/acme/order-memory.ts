import type {
  OrderAnswer,
  OrderPurpose,
  OrderQuestion,
  OrderRequest,
} from '../../controllers/certificates/ports/acme.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { BoundedMap } from './bounded-map.js';
import type { ProblemError } from './problems.js';

/** An answer that holds until the server wants the next question. */
interface HeldAnswer {
  readonly answer: OrderAnswer;
  /** Milliseconds since 1970. */
  readonly until: number;
}

type Purpose = OrderPurpose & Pick<OrderQuestion, 'account'>;
type Creation = Extract<OrderRequest, { act: 'create' }>;

/** Orders and answers that are remembered. */
const most = 4_096;
/** Milliseconds. A server that asks for more would stop the polls of an order that is done. */
const longestHold = 300_000;
/** Milliseconds for which a refused order delays those for other names of the same account. */
const accountHold = 30_000;

/**
 * What a process remembers of orders: the URLs of those that it created, and when servers accept the next request.
 *
 * Guarantees: a purpose has one order. Within a `Retry-After`, no order is polled, and none is created for the names of a
 * refused one.
 */
export class OrderMemory {
  readonly #urls = new BoundedMap<string>(most);
  readonly #held = new BoundedMap<HeldAnswer>(most);
  readonly #refusals = new BoundedMap<{ readonly error: ProblemError; readonly until: number }>(most);

  /** The order that this process created. */
  urlOf(of: Purpose): string | undefined {
    return this.#urls.get(keyOf(of));
  }

  created(request: Creation, url: string): void {
    this.#urls.set(keyOf(request), url);
  }

  /** @param now milliseconds since 1970 */
  answerOf(url: string, now: number): OrderAnswer | undefined {
    const held = this.#held.get(url);
    return held && now < held.until ? held.answer : undefined;
  }

  /** @param time milliseconds: how long, and since 1970 */
  hold(url: string, answer: OrderAnswer, time: { readonly for: number; readonly now: number }): void {
    this.#held.set(url, { answer, until: time.now + Math.min(time.for, longestHold) });
  }

  /** Lets the next question reach the server. */
  release(url: string): void {
    this.#held.delete(url);
  }

  /**
   * Remembers that a server refused an order for now. A limit of the account cannot be told from one of the names. The
   * names wait for the whole time, other names of the account for at most 30 s.
   */
  refused(request: Creation, error: ProblemError, now: number): void {
    const { retryAfter } = error;
    if (error.kind !== 'retryable' || retryAfter === undefined) return;
    this.#refusals.set(namesKeyOf(request), { error, until: now + retryAfter });
    this.#refusals.set(request.account, { error, until: now + Math.min(retryAfter, accountHold) });
  }

  /** @throws {CallError} the refusal of the server, with the time that is left */
  check(request: Creation, now: number): void {
    const known = [namesKeyOf(request), request.account].map((key) => this.#refusals.get(key));
    const refusal = known.find((one) => one && now < one.until);
    if (!refusal) return;
    const { error, until } = refusal;
    throw new CallError(error.kind, error.message, { mayHaveEffect: false, retryAfter: until - now });
  }
}

function keyOf({ account, id, names, profile }: Purpose): string {
  return JSON.stringify([account, id, names, profile]);
}

function namesKeyOf({ account, names }: Creation): string {
  return JSON.stringify([account, names.toSorted()]);
}
