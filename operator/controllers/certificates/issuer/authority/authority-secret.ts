import {
  certificatesIn,
  certifiedKeyOf,
  fingerprintOf,
  parsed,
  publicKeyOf,
  validityOf,
} from '../../../../certificates/reading.js';
import type { LiveSecret } from '../../../../runtime/index.js';
import type { KeyPair } from '../../ports/authority.js';
import { textIn } from '../../secrets/texts.js';

/** A CA with its key. */
export interface Authority extends KeyPair {
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** The Secret of a CA that the operator generated. */
export interface StoredAuthorities {
  /** The CA that signs. Undefined if the Secret does not exist, or if a value is unusable. */
  readonly current?: Authority | undefined;
  /** The CA that clients are about to trust. */
  readonly next?: Authority | undefined;
  /** Every CA certificate in `ca.crt`, PEM. */
  readonly trusted: readonly string[];
}

/** Reads a Secret, whose values any user may have edited. */
export function storedAuthorities(secret: LiveSecret | undefined): StoredAuthorities {
  const pair = (name: string) => ({ certificate: textIn(secret, `${name}.crt`), key: textIn(secret, `${name}.key`) });
  return {
    current: authorityOf(pair('tls')),
    next: authorityOf(pair('next')),
    trusted: certificatesIn(textIn(secret, 'ca.crt')),
  };
}

/** Undefined if the certificate is not that of a CA, or if the key is not its own. */
export function authorityOf({ certificate, key }: KeyPair): Authority | undefined {
  const known = parsed(certificate);
  if (!known?.ca || publicKeyOf(key) !== certifiedKeyOf(known)) return undefined;
  return { certificate, key, fingerprint: fingerprintOf(known), ...validityOf(known) };
}

/** The Secret of a user, as far as an issuer needs it. */
export interface UserProvidedSecret extends KeyPair {
  /** The CA certificates that clients must trust, PEM. Empty if the Secret has none. */
  readonly trusted: string;
}

/** Characters. A status has room for two such bundles, because an earlier one stays while it is in use. */
const longestBundle = 32_768;

/** Why a Secret of a user cannot sign. Undefined if it can. */
export function authorityProblem({ certificate, key, trusted }: UserProvidedSecret): string | undefined {
  const known = parsed(certificate);
  if (!known) return 'tls.crt must be a certificate in PEM format';
  if (!known.ca)
    return 'tls.crt must be the certificate of a CA (basic constraint CA, and the key usage cert sign if it has key usages)';
  for (const [name, text] of Object.entries({ 'tls.crt': certificate, 'ca.crt': trusted })) {
    // Clients would not load a bundle with such a certificate.
    if (!certificatesIn(text).every(parsed))
      return `${name} has a certificate that cannot be read; remove or correct it`;
    if (text.length > longestBundle) return `${name} must have at most ${longestBundle} characters, got ${text.length}`;
  }
  if (key === '') return 'tls.key must be the private key of the CA, and is missing';
  const publicKey = publicKeyOf(key);
  if (publicKey === undefined) return 'tls.key must be a private key in PEM format without a password';
  return publicKey === certifiedKeyOf(known) ? undefined : 'tls.key must be the private key of tls.crt';
}
