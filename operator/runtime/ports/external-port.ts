import type { PolicyRule } from '../kubernetes/kinds.js';

/**
 * A source outside of the watched cluster: its name, and the permissions that polling it needs. `Q` is the type of the
 * questions and `A` that of the answers, both plain JSON.
 */
export interface Port<Q = never, A = unknown> {
  /** Its name in messages, logs and metrics. */
  readonly name: string;
  /** RBAC permissions that the source needs at the API server. @default [] */
  readonly rbacRules?: readonly PolicyRule[];
  /** Never set. It carries the types. */
  readonly speaks?: (question: Q) => A;
}

/**
 * Answers questions, or rejects with an error for people. The message is logged and may reach a status, so it must not
 * contain secrets.
 *
 * @param signal aborts when the answer is no longer needed
 */
export type Source<Q, A> = (question: Q, options: { readonly signal: AbortSignal }) => Promise<A>;

/** A port with the source that answers it. */
export interface Provided {
  readonly port: Port;
  readonly source: Source<never, unknown>;
}

/** Connects a source to a port. */
export function provided<Q, A>(port: Port<Q, A>, source: Source<Q, A>): Provided {
  return { port, source };
}
