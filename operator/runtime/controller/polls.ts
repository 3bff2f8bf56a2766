import type { ObjectKind } from '../kubernetes/kinds.js';
import type { ObjectName } from '../kubernetes/object.js';
import type { Port, PortUse } from '../ports/external-port.js';
import type { CustomResource } from './custom-resource.js';
import type { Owned } from './owned-objects.js';
import type { Found, Reads } from './reads.js';

/** The facts that do not change with time. The polls follow from them. */
export interface StableFacts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  S extends ObjectKind = ObjectKind,
> {
  readonly resource: R;
  /** The owned objects, before this reconcile. For those that other controllers of the kind created, see `siblings`. */
  readonly owned: Owned<K>;
  /**
   * The objects that other controllers of the same kind created for the resource, of the kinds in `watchesSiblings`.
   */
  readonly siblings: Owned<S>;
  /**
   * Whether the API server serves a kind and, if the kind is read, lets the operator list it. For kinds that are
   * `optional`. A change of the answer triggers a reconcile.
   */
  isServed(kind: ObjectKind): boolean;
  /** The referenced objects, under the names of the declaration. Frozen. */
  readonly reads: Found<Q>;
}

/** A question, and how often it is polled. A new question discards the answers to the one before, another interval keeps them. */
export interface PollRequest<P = unknown> {
  readonly question: P;
  /**
   * Milliseconds between two polls, from the start of one to the start of the next. Clamped to the range from one
   * second to one day. It may differ from reconcile to reconcile: the answer is kept.
   */
  readonly interval: number;
  /**
   * Milliseconds from the first reconcile that asks the question to its first poll, at most one day. A question that is
   * not asked any more by then costs no request and no reconcile. It starts anew with a changed question.
   * @default 0 - the first poll starts at once
   */
  readonly delay?: number;
  /** Milliseconds until a poll times out, at most one minute. The time of `hold` is added. @default 5_000 */
  readonly timeout?: number;
  /**
   * Milliseconds for which the source may hold a poll until its answer has another version, at most 30 seconds. Then the
   * next poll starts at once, at least 0.1 seconds after the last one. `interval` applies while answers have no version,
   * and if the source does not hold polls.
   * @default 0 - the source answers each poll at once
   */
  readonly hold?: number;
  /**
   * The name of a Secret in the namespace of the resource, or in another one. It is read for each poll, and its data is
   * passed to the source. Never take the namespace from a field that the users of a namespace can write: they could name
   * the Secrets of others.
   * @default - the source gets no Secret
   */
  readonly secret?: string | ObjectName;
  /** The number of answers that are kept. @default 1 */
  readonly keep?: number;
}

/** One answer. */
export interface Answer<A = unknown> {
  readonly value: A;
  /** When the poll started, in milliseconds since 1970. The answer may not reflect later changes. */
  readonly at: number;
}

/** What is known about a question. A missing answer is not an error. */
export type Polled<A = unknown> = (
  | ({ readonly known: true } & Answer<A>)
  | {
      readonly known: false;
      /** The cause, for people. */
      readonly why: string;
      /** Since when it is unknown, in milliseconds since 1970. */
      readonly since: number;
    }
) & {
  /** The earlier answers, the oldest first, as many as are kept. */
  readonly earlier: readonly Answer<A>[];
};

/** Why there is no answer while the first one is awaited. */
export const awaited = { notPolled: 'not polled yet', noAnswer: 'no answer yet' } as const;

const awaitedCauses: readonly string[] = Object.values(awaited);

/** Why a poll has no answer. Undefined if it has one, if nothing is asked, and while the first answer is awaited. */
export function pollFailureOf(polled: Polled | undefined): string | undefined {
  return !polled || polled.known || awaitedCauses.includes(polled.why) ? undefined : polled.why;
}

/**
 * The last answer to a question. Undefined if nothing is asked, and while there is no answer: before the first one, and while
 * polls fail. {@link pollFailureOf} has the cause.
 */
export function pollValueOf<A>(polled: Polled<A> | undefined): A | undefined {
  return polled?.known ? polled.value : undefined;
}

/** A declaration of a poll. `A` is the type of the answers. */
export interface Poll<A = unknown> {
  readonly port: Port;
  readonly request: (facts: StableFacts) => PollRequest | undefined;
  /** Never set. It carries the type. */
  readonly answered?: A;
}

/** The polls of a controller, by the names under which its functions see them. */
export type Polls = Readonly<Record<string, Poll>>;

/** The answers as `desire` and `assess` see them. Undefined if nothing is asked. Frozen. */
export type Answers<G extends Polls = Polls> = {
  readonly [N in keyof G]: (G[N] extends Poll<infer A> ? Polled<A> : never) | undefined;
};

/** The argument of `polls` in a declaration. The function is pure. It returns undefined to ask nothing. */
export type PollBuilder<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  S extends ObjectKind = ObjectKind,
> = <P, A>(port: Port<P, A>, asking: (facts: StableFacts<R, K, Q, S>) => PollRequest<P> | undefined) => Poll<A>;

/** Declares a poll of a port. */
export const poll: PollBuilder = (port, request) => ({ port, request });

/** The ports that a controller polls and calls, for messages. */
export function portUsesOf({
  name,
  polls,
  calls,
}: {
  readonly name: string;
  readonly polls: Polls;
  readonly calls: readonly Port[];
}): readonly PortUse[] {
  return [...Object.values(polls).map(({ port }) => port), ...calls].map((port) => ({
    port,
    by: `controller ${name}`,
  }));
}
