import type { Credential } from '../../../../src/index.js';

/** The next safe step of a rotation. Each one is taken again until its effect is seen. */
export type Step =
  /** Keep a new credential before anything uses it. */
  | { readonly does: 'keep'; readonly next: Credential }
  /** Let the kept credential log in. */
  | { readonly does: 'allow'; readonly slot: 'current' | 'next'; readonly login: string }
  /** Write the new credential into the Secret. */
  | { readonly does: 'publish'; readonly current: Credential }
  /** Roll the consumers that were not rolled since. */
  | { readonly does: 'roll' }
  /** Refuse the earlier login. */
  | { readonly does: 'refuse'; readonly login: string }
  | { readonly does: 'wait'; readonly why: Wait; readonly login?: string; readonly until?: number }
  | { readonly does: 'rest'; readonly until: number };

/** Causes for which a rotation waits. */
export type Wait = 'values' | 'server' | 'secret' | 'notOurs' | 'bothInUse' | 'consumers' | 'overlap' | 'sessions';
