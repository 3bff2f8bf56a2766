import type { PolicyRule } from '../kubernetes/kinds.js';

/**
 * Something outside of what is watched that can be asked: what it is called, and what that takes. `Q` is what it is
 * asked and `A` what it answers, both plain JSON.
 */
export interface Port<Q = never, A = unknown> {
  /** Names it in messages, logs and metrics. */
  readonly name: string;
  /** What whoever answers must be allowed to do at the API server. @default [] */
  readonly rights?: readonly PolicyRule[];
  /** Never set: carries the types. */
  readonly speaks?: (question: Q) => A;
}

/**
 * Answers questions, or rejects with a reason for people: it is logged and may reach a status, so it tells no secret.
 *
 * @param signal aborts when nobody waits for the answer any more
 */
export type Source<Q, A> = (question: Q, options: { readonly signal: AbortSignal }) => Promise<A>;

/** A port, and who answers there. */
export interface Provided {
  readonly port: Port;
  readonly source: Source<never, unknown>;
}

/** Lets a source answer at a port. */
export function provided<Q, A>(port: Port<Q, A>, source: Source<Q, A>): Provided {
  return { port, source };
}
