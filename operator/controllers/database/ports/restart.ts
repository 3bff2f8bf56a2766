import type { Port } from '../../../runtime/index.js';
import type { KeyPair } from './credentials.js';

/** The primary that is to restart its PostgreSQL, and what it obeys. */
export interface RestartQuestion {
  /** The authority that signed its certificate, PEM. */
  readonly authority: string;
  /** The Database's own certificate: who shows no other may look, and change nothing. */
  readonly certified: KeyPair;
  /** Of its REST API. */
  readonly port: number;
  /** Where its pod is. */
  readonly address: string;
  /** The host name that its certificate must have. */
  readonly host: string;
}

/** What came of it. */
export interface RestartAnswer {
  /** Why it does not restart, in its words. @default - it has restarted */
  readonly refused?: string;
}

/**
 * Where a primary is told to restart in place, which is answered when it has. It does so only if it leads and parameters
 * wait for that, so to ask twice restarts it once. Rejects when it does not answer.
 */
export const restart: Port<RestartQuestion, RestartAnswer> = { name: 'restart' };
