import type { Port } from '../../../runtime/index.js';
import type { KeyPair } from './credentials.js';

/** The primary that restarts its PostgreSQL, and the credentials that it accepts. */
export interface RestartQuestion {
  /** The authority that signed its certificate, PEM. */
  readonly authority: string;
  /** The certificate of the Database. Clients without it have read-only access to the API. */
  readonly certified: KeyPair;
  /** Port of its REST API. */
  readonly port: number;
  /** IP address of its Pod. */
  readonly address: string;
  /** The host name that its certificate must have. */
  readonly host: string;
}

/** The result of the request. */
export interface RestartAnswer {
  /** Reason that the primary gives for not restarting. @default - it has restarted */
  readonly refused?: string;
}

/**
 * Requests an in-place restart of a primary, which responds after the restart. It restarts only if it leads and
 * parameters need a restart, so a repeated request restarts it once. Rejects when it does not respond.
 */
export const restart: Port<RestartQuestion, RestartAnswer> = { name: 'reconstruct/restart' };
