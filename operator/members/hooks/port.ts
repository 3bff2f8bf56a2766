import type { Port } from '../../runtime/index.js';

/** A hook of one restart, and the server that has it. */
export interface HookQuestion {
  /** Identifies the hook of this restart. */
  readonly id: string;
  readonly url: string;
  /** CA certificates that the server's own certificate must chain to, PEM. @default - those of Node.js */
  readonly caBundle?: string;
}

/** What the server confirmed. It has no question for this, so a process knows nothing before it sends a request. */
export interface HookAnswer {
  readonly state: 'confirmed' | 'unknown';
}

/** Tells a server about a restart. A new process sends it again, so it must be without effect the second time. */
export interface HookRequest extends HookQuestion {
  /** The JSON document for the server. */
  readonly restart: RestartDocument;
}

/** What a server learns about a restart. A kind adds what its users need to know. */
export interface RestartDocument {
  readonly id: string;
  readonly hook: 'preRestart' | 'postRestart';
  readonly namespace: string;
  /** The name of the Pod. */
  readonly pod: string;
  readonly [field: string]: string | number | readonly string[];
}

/**
 * Servers that delay the restart of a member. A poll names no Secret, a call one with the key `token`, if it needs it. Its
 * former name is part of what the status of resources stores, so it stays. What a server confirmed is known at once.
 */
export const restartHooks: Port<HookQuestion, HookAnswer, HookRequest> = {
  name: 'reconstruct/hooks',
  formerName: 'kafka-hooks',
  secrets: 'any',
  visibleWithin: 0,
};
