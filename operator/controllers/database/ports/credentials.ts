import type { Port } from '../../../runtime/index.js';

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Certificates with which the instances of a Database authenticate each other. */
export interface Certified {
  /** The authority that signs the next certificate. Its key is empty if it is lost. */
  readonly authority: KeyPair;
  readonly server: KeyPair;
  /** Trusted authorities, PEM, concatenated. */
  readonly trusted: string;
}

/** The credentials that a Database lacks, and the certificate that may need renewal. */
export interface CredentialsQuestion {
  /** Names of passwords. */
  readonly passwords: readonly string[];
  /** A certificate for servers and clients. */
  readonly certificate: {
    readonly commonName: string;
    /** Host names. The first label can be `*`. */
    readonly hosts: readonly string[];
    /** The current certificate. @default - none */
    readonly known?: Certified;
    /** The authority that signs the first certificate. @default - a new authority */
    readonly authority?: KeyPair;
  };
}

/** Generated credentials. */
export interface CredentialsAnswer {
  /** By name: 32 letters and digits each. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Undefined if the current certificate does not need renewal, or if another controller manages it. */
  readonly certified?: Certified;
}

/** Generates passwords and keys. Each answer differs, so the controller stores it in Secrets. */
export const credentials: Port<CredentialsQuestion, CredentialsAnswer> = { name: 'reconstruct/credentials' };
