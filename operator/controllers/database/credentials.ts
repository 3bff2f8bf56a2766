import type { Port } from '../../runtime/index.js';

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What is missing of the secrets of a Database. */
export interface CredentialsQuestion {
  /** Names of passwords. */
  readonly passwords: readonly string[];
  /** A certificate that serves as a server's and as a client's. @default - none is missing */
  readonly certificate?: {
    readonly commonName: string;
    /** Host names, first labels of which may be `*`. */
    readonly hosts: readonly string[];
  };
}

/** What was drawn by lot. */
export interface CredentialsAnswer {
  /** By name: 32 letters and digits each. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Of a new authority that has signed nothing else. */
  readonly certified?: { readonly authority: KeyPair; readonly server: KeyPair };
}

/** Who draws passwords and keys. Another answer comes each time: what was drawn is kept in Secrets that are made once. */
export const credentials: Port<CredentialsQuestion, CredentialsAnswer> = { name: 'credentials' };
