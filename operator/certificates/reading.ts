import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { remembered } from './remembered.js';

// Reads PEM texts that any user may have written. Synchronous, because `desire` calls it, and pure.

/** The certificates of a text in PEM format, in their order, each with a line break at its end. */
export function certificatesIn(bundle: string): readonly string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((one) => `${one}\n`);
}

/** The first certificate of a text. Returns undefined if there is none, or if its dates cannot be read. */
export const parsed = remembered((certificate): X509Certificate | undefined => {
  try {
    const known = new X509Certificate(certificate);
    const { from, to } = validityOf(known);
    return Number.isFinite(from) && Number.isFinite(to) ? known : undefined;
  } catch {
    return undefined;
  }
});

/** What is public of a private key in PEM format. Undefined for one that is unusable, or only with a password. */
const publicPartOf = remembered(
  (key): { readonly publicKey: string; readonly kind?: KeyKind | undefined } | undefined => {
    try {
      const known = createPrivateKey(key);
      return { publicKey: spkiOf(createPublicKey(known)), kind: kindOf(known) };
    } catch {
      return undefined;
    }
  },
);

/** SHA-256 of the certificate, in lower-case hexadecimal digits. */
export function fingerprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('hex');
}

/** The serial number in lower-case hexadecimal digits. */
export function serialNumberOf({ serialNumber }: X509Certificate): string {
  return serialNumber.toLowerCase();
}

/** The public key of a private key: SubjectPublicKeyInfo, in base64. Undefined if the private key is unusable. */
export function publicKeyOf(key: string): string | undefined {
  return publicPartOf(key)?.publicKey;
}

/** A private key as PKCS #8 in DER, in base64. @throws {Error} for an unusable key */
export function derOf(key: string): string {
  return createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

const certifiedKeys = new WeakMap<X509Certificate, string>();

/** The public key of a certificate: SubjectPublicKeyInfo, in base64. Empty if Node.js does not know its algorithm. */
export function certifiedKeyOf(certificate: X509Certificate): string {
  const known = certifiedKeys.get(certificate) ?? readCertifiedKey(certificate);
  certifiedKeys.set(certificate, known);
  return known;
}

function readCertifiedKey(certificate: X509Certificate): string {
  try {
    return spkiOf(certificate.publicKey);
  } catch {
    return '';
  }
}

function spkiOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

const curves: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };

/** The algorithm and the size of a key. Ed25519 has one size, so none is given. */
export interface KeyKind {
  readonly algorithm: 'ECDSA' | 'RSA' | 'Ed25519';
  /** Bits. */
  readonly size?: number | undefined;
}

/** The kind of a private key. Returns undefined for an unusable key and for a kind that nothing here generates. */
export function keyKindOf(key: string): KeyKind | undefined {
  return publicPartOf(key)?.kind;
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): KeyKind | undefined {
  const { namedCurve = '', modulusLength } = asymmetricKeyDetails ?? {};
  if (type === 'ed25519') return { algorithm: 'Ed25519' };
  if (type === 'rsa') return { algorithm: 'RSA', size: modulusLength };
  return type === 'ec' && curves[namedCurve] !== undefined
    ? { algorithm: 'ECDSA', size: curves[namedCurve] }
    : undefined;
}

/** Whether a private key is usable and of this kind. */
export function isOfKind(key: string, { algorithm, size }: KeyKind): boolean {
  const kind = keyKindOf(key);
  return kind?.algorithm === algorithm && kind.size === size;
}

/** Milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly to: number;
}

/** The time in which a certificate is valid. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

/** Whether the holder of a CA certificate signed a certificate. */
export function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  if (certifiedKeyOf(authority) === '') return false;
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** The names of a subject. */
export interface SubjectNames {
  readonly commonName?: string | undefined;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly emailAddresses: readonly string[];
}

/** The names in a certificate. Addresses are in the form of {@link canonicalAddress}. */
export function namesOf({ subject, subjectAltName = '' }: X509Certificate): SubjectNames {
  const entries = [...subjectAltName.matchAll(/(?:^|, )(DNS|IP Address|URI|email):("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  const all = entries.map(([, type, value = '']) => ({ type, value: value.startsWith('"') ? unquoted(value) : value }));
  const of = (type: string) => all.filter((one) => one.type === type).map(({ value }) => value);
  // In a regular expression, U+2028 ends a line too.
  const commonName = (subject ?? '')
    .split('\n')
    .find((line) => line.startsWith('CN='))
    ?.slice('CN='.length);
  return {
    ...(commonName !== undefined && { commonName: commonName.replaceAll(/\\(.)/gs, '$1') }),
    dnsNames: of('DNS'),
    ipAddresses: of('IP Address').map(canonicalAddress),
    uris: of('URI'),
    emailAddresses: of('email'),
  };
}

/** Node.js quotes a value with a comma as JSON. */
function unquoted(value: string): string {
  return JSON.parse(value) as string;
}

/** One form for equal addresses: the shortest of an IPv6 address, in lower case. */
export function canonicalAddress(address: string): string {
  if (!address.includes(':')) return address;
  try {
    return new URL(`http://[${address}]`).hostname.slice(1, -1);
  } catch {
    return address;
  }
}
