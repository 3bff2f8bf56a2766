import type { Port } from '../../../runtime/index.js';

/** A PostgreSQL and the pair of logins that a rotation keeps there. */
export interface LoginPair {
  readonly host: string;
  /** A user has written the host, so the operator must allow it. */
  readonly isStated: boolean;
  readonly port: number;
  readonly database: string;
  /** The role whose members the logins are. What they create belongs to it. */
  readonly owner: string;
  /** Names the rotation in a comment of its logins. Roles without this comment are never changed. */
  readonly mark: string;
  /** The namespace of the Secrets. */
  readonly namespace: string;
  /** The Secret with `username` and `password` of an administrator. */
  readonly admin: string;
  /** The Secret whose `ca.crt` is trusted. Without that key, the authorities of the system are. */
  readonly authority: string;
}

/** A credential in the Secret that the operator keeps, identified by a hash. */
export interface KeptLogin {
  readonly login: string;
  readonly hash: string;
}

/** The state of the logins, and whether the kept credentials work. Names the Secret that the operator keeps. */
export interface LoginsQuestion extends LoginPair {
  readonly logins: readonly string[];
  readonly current?: KeptLogin;
  readonly next?: KeptLogin;
  /** Changes when the server may have lost its last changes, so that it is asked anew. */
  readonly epoch?: number;
}

/** What a role of a pair is in PostgreSQL. */
export interface LoginState {
  /** The rotation has created it. */
  readonly isOurs: boolean;
  readonly canLogin: boolean;
  /** Sessions of it are open. */
  readonly inUse: boolean;
}

/** What PostgreSQL said. */
export interface LoginsAnswer {
  /** By name. A role that does not exist is absent. */
  readonly roles: Readonly<Record<string, LoginState>>;
  /** Whether a connection with the credential works. Absent for one that the question does not have. */
  readonly accepts: { readonly current?: boolean; readonly next?: boolean };
  /** The trusted certificate authorities, PEM. */
  readonly authority?: string;
}

/** What a plan needs to know of two logins, also of users in Kafka. */
export type LoginsSeen = Pick<LoginsAnswer, 'roles' | 'accepts'>;

/** Changes one login. */
export type LoginsRequest =
  /** Creates the login or sets its password to the kept one, and lets it log in. */
  | (LoginPair & { readonly act: 'allow'; readonly slot: 'current' | 'next' } & KeptLogin)
  /** Takes its password, and lets it log in no longer. Fails while a session of it is open. */
  | (LoginPair & { readonly act: 'refuse'; readonly login: string });

/**
 * The logins of rotations in PostgreSQL. The Secret that the operator keeps comes with each question and request, and the
 * source reads the Secrets of the administrator and of the authority itself.
 */
export const logins: Port<LoginsQuestion, LoginsAnswer, LoginsRequest> = {
  ...{ name: 'reconstruct/logins', formerName: 'logins', secrets: 'any' },
  unlogged: ['hash'],
  visibleWithin: 0,
};
