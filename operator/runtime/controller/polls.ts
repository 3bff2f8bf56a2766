import type { ObjectKind } from '../kubernetes/kinds.js';
import type { Port } from '../ports/external-port.js';
import type { CustomResource } from './custom-resource.js';
import type { Owned } from './owned-objects.js';
import type { Found, Reads } from './reads.js';

/** The facts that do not pass by themselves: what is asked follows from them. */
export interface StableFacts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  S extends ObjectKind = ObjectKind,
> {
  readonly resource: R;
  /** What it owns, before this pass. Of what other controllers of the kind made, see `siblings`. */
  readonly owned: Owned<K>;
  /** What other controllers of the same kind made of the resource: of the kinds that `watchesSiblings` names. */
  readonly siblings: Owned<S>;
  /** Whether the API server has a kind, and shows it where it is read: asked of those that are `optional`. */
  isServed(kind: ObjectKind): boolean;
  /** What it refers to, under the names of the declaration. Frozen. */
  readonly reads: Found<Q>;
}

/** A question, and how often it is asked. Another question forgets the answers to the one before. */
export interface PollRequest<P = unknown> {
  readonly question: P;
  /** Milliseconds from one time it is asked to the next, from a second to a day: what is less or more is taken for that. */
  readonly interval: number;
  /** Milliseconds after which an answer is not waited for any more, a minute at the most. @default 5_000 */
  readonly timeout?: number;
  /** How many answers are kept. @default 1 */
  readonly keep?: number;
}

/** What was answered at one time. */
export interface Answer<A = unknown> {
  readonly value: A;
  /** When it was asked for, in milliseconds since 1970: it may not tell what happened after. */
  readonly at: number;
}

/** What is known of what was asked. Not to know is no failure. */
export type Polled<A = unknown> = (
  | ({ readonly known: true } & Answer<A>)
  | {
      readonly known: false;
      /** For people. */
      readonly why: string;
      /** Since when it is not known, in milliseconds since 1970. */
      readonly since: number;
    }
) & {
  /** The answers before, the oldest first, as many as are kept. */
  readonly earlier: readonly Answer<A>[];
};

/** A declaration of what is asked. `A` is the type of the answers. */
export interface Poll<A = unknown> {
  readonly port: Port;
  readonly request: (facts: StableFacts) => PollRequest | undefined;
  /** Never set: carries the type. */
  readonly answered?: A;
}

/** What a controller gathers, by the names that its functions see it under. */
export type Polls = Readonly<Record<string, Poll>>;

/** What `desire` and `assess` see of what is gathered; undefined where nothing is asked. Frozen. */
export type Answers<G extends Polls = Polls> = {
  readonly [N in keyof G]: (G[N] extends Poll<infer A> ? Polled<A> : never) | undefined;
};

/** What the `polls` of a declaration is called with. The function is pure; undefined asks nothing. */
export type PollBuilder<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  S extends ObjectKind = ObjectKind,
> = <P, A>(port: Port<P, A>, asking: (facts: StableFacts<R, K, Q, S>) => PollRequest<P> | undefined) => Poll<A>;

/** Declares what is asked at a port. */
export const poll: PollBuilder = (port, request) => ({ port, request });
