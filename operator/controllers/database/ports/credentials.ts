import type { Port } from '../../../runtime/index.js';

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** By what the instances of a Database know each other. */
export interface Certified {
  /** Who signs the next one; its key is empty where that is lost. */
  readonly authority: KeyPair;
  readonly server: KeyPair;
  /** Authorities that are believed, PEM, one after the other. */
  readonly trusted: string;
}

/** What is missing of the secrets of a Database, and what may have to be renewed. */
export interface CredentialsQuestion {
  /** Names of passwords. */
  readonly passwords: readonly string[];
  /** A certificate that serves as a server's and as a client's. */
  readonly certificate: {
    readonly commonName: string;
    /** Host names, first labels of which may be `*`. */
    readonly hosts: readonly string[];
    /** @default - there is none yet */
    readonly known?: Certified;
    /** The authority that is to sign the first one. @default - a new one */
    readonly authority?: KeyPair;
  };
}

/** What was drawn by lot. */
export interface CredentialsAnswer {
  /** By name: 32 letters and digits each. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Undefined where what is known holds for a good while, or is looked after by somebody else. */
  readonly certified?: Certified;
}

/** Who draws passwords and keys. Another answer comes each time: what was drawn is kept in Secrets. */
export const credentials: Port<CredentialsQuestion, CredentialsAnswer> = { name: 'credentials' };
