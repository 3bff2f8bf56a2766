import type { Port } from '../../../runtime/index.js';

/** Where a hook of a candidate listens. */
export interface HookAddress {
  /** The name and the UID of the Pod. */
  readonly name: string;
  readonly uid: string;
  /** `status.podIP` of the Pod. */
  readonly address: string;
}

/** How a hook is called. */
export interface HookEndpoint {
  readonly port: number;
  /** Starts with `/`. */
  readonly path: string;
  /** Milliseconds, at most 30,000. */
  readonly timeout: number;
}

/** Asks applications for their state: `GET http://ADDRESS:PORT/PATH`. */
export interface HooksQuestion extends HookEndpoint {
  readonly pods: readonly HookAddress[];
}

/** By the names of Pods. Each of the question is in one of the two. */
export interface HooksAnswer {
  readonly states: Readonly<Record<string, HookState>>;
  /** Why there is no state, for people. */
  readonly silent: Readonly<Record<string, string>>;
}

/** The JSON that the application answers: `{"role": "leader", "term": 7}`. */
export interface HookState {
  readonly role: 'leader' | 'replica' | 'none';
  /** The term of its last hook. 0 before the first one. */
  readonly term: number;
}

/**
 * Tells one application its role: `POST` with `{"hook", "term", "pod", "uid", "leader": {"name", "address"}}`. Only 2xx is a
 * success, and the next answer to the question decides whether it had an effect.
 */
export interface HookRequest extends HookEndpoint {
  readonly pod: HookAddress;
  readonly hook: 'promote' | 'demote';
  readonly term: number;
  readonly leader?: { readonly name: string; readonly address: string };
}

/**
 * Hooks of applications that have no launcher. The Secret of a question or request may have a bearer token in the key
 * `token`. Only addresses of Pods are called, and redirects are not followed.
 */
export const leaderHooks: Port<HooksQuestion, HooksAnswer, HookRequest> = {
  name: 'reconstruct/leader-hooks',
  secrets: 'any',
  visibleWithin: 0,
};
