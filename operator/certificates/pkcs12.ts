import { createHash, createPrivateKey, type X509Certificate } from 'node:crypto';
import { bmpString, explicit, implicitOctets, integer, objectId, octets, sequence, setOf } from './der.js';
import { authenticationOf, encryptedWith, type Protection, saltsOf } from './pkcs12-encryption.js';
import { certificatesIn, parsed } from './reading.js';
import { remembered } from './remembered.js';

// PKCS #12 stores as Java 17 and OpenSSL 3 write them by default, but with the same bytes for the same content. Synchronous,
// because `desire` calls it, and pure. https://www.rfc-editor.org/rfc/rfc7292

/** The content of a key store. */
export interface KeyStoreContent {
  /** The certificate with its chain, in PEM format. */
  readonly certificate: string;
  /** The private key of the certificate, in PEM format. */
  readonly key: string;
  readonly password: string;
}

/** The content of a trust store. */
export interface TrustStoreContent {
  /** CA certificates in PEM format. */
  readonly trusted: string;
  readonly password: string;
  /** Text that others do not know, so that the salts tell nothing of the password. @default - none: it is no secret */
  readonly secret?: string;
}

const keyStore = remembered((text) => keyStoreFrom(JSON.parse(text) as KeyStoreContent).toString('base64'));
const trustStore = remembered((text) => trustStoreFrom(JSON.parse(text) as TrustStoreContent).toString('base64'));

/**
 * A PKCS #12 store, in base64, with a private key and its certificates under the alias `certificate`.
 * @throws {Error} for an unusable key
 */
export function keyStoreOf({ certificate, key, password }: KeyStoreContent): string {
  return keyStore(JSON.stringify({ certificate, key, password }));
}

/** A PKCS #12 store, in base64, with trusted certificates. The alias of each is its SHA-256 fingerprint. */
export function trustStoreOf({ trusted, password, secret = '' }: TrustStoreContent): string {
  return trustStore(JSON.stringify({ trusted, password, secret }));
}

const data = '1.2.840.113549.1.7.1';
const encryptedData = '1.2.840.113549.1.7.6';
const certificateBag = '1.2.840.113549.1.12.10.1.3';
const shroudedKeyBag = '1.2.840.113549.1.12.10.1.2';
const x509Certificate = '1.2.840.113549.1.9.22.1';
const friendlyName = '1.2.840.113549.1.9.20';
const localKeyId = '1.2.840.113549.1.9.21';
/** Java trusts only certificates with this attribute. */
const trustedKeyUsage = '2.16.840.1.113894.746875.1.1';
const anyUsage = '2.5.29.37.0';

function keyStoreFrom({ certificate, key, password }: KeyStoreContent): Buffer {
  const chain = readable(certificate);
  const privateKey = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const protection = { password, salt: saltsOf(privateKey, password, ...chain.map(({ raw }) => raw)) };
  const identity = createHash('sha256')
    .update(chain[0]?.raw ?? '')
    .digest();
  const names = [attribute(friendlyName, bmpString('certificate')), attribute(localKeyId, octets(identity))];
  const { algorithm, encrypted } = encryptedWith(protection, 'key', privateKey);
  const keyBag = bag(shroudedKeyBag, sequence(algorithm, octets(encrypted)), names);
  const bags = chain.map((one, index) => bagOf(one, index === 0 ? names : []));
  return storeOf(protection, [encryptedBags(protection, bags), content(data, octets(sequence(keyBag)))]);
}

function trustStoreFrom({ trusted, password, secret = '' }: TrustStoreContent): Buffer {
  const all = new Map(readable(trusted).map((one) => [one.fingerprint256, one]));
  const protection = {
    password,
    salt: saltsOf(Buffer.from(secret), password, ...[...all.values()].map(({ raw }) => raw)),
  };
  const bags = [...all].map(([fingerprint, one]) => {
    const alias = fingerprint.replaceAll(':', '').toLowerCase();
    return bagOf(one, [attribute(friendlyName, bmpString(alias)), attribute(trustedKeyUsage, objectId(anyUsage))]);
  });
  return storeOf(protection, [encryptedBags(protection, bags)]);
}

function readable(bundle: string): readonly X509Certificate[] {
  return certificatesIn(bundle).flatMap((pem) => parsed(pem) ?? []);
}

function bagOf({ raw }: X509Certificate, attributes: readonly Buffer[]): Buffer {
  return bag(certificateBag, sequence(objectId(x509Certificate), explicit(0, octets(raw))), attributes);
}

function bag(type: string, value: Buffer, attributes: readonly Buffer[]): Buffer {
  return sequence(objectId(type), explicit(0, value), ...(attributes.length > 0 ? [setOf(...attributes)] : []));
}

function attribute(type: string, value: Buffer): Buffer {
  return sequence(objectId(type), setOf(value));
}

/** ContentInfo. */
function content(type: string, value: Buffer): Buffer {
  return sequence(objectId(type), explicit(0, value));
}

function encryptedBags(protection: Protection, bags: readonly Buffer[]): Buffer {
  const { algorithm, encrypted } = encryptedWith(protection, 'certificates', sequence(...bags));
  const info = sequence(objectId(data), algorithm, implicitOctets(0, encrypted));
  return content(encryptedData, sequence(integer(0), info));
}

/** PFX. */
function storeOf(protection: Protection, contents: readonly Buffer[]): Buffer {
  const safe = sequence(...contents);
  return sequence(integer(3), content(data, octets(safe)), authenticationOf(protection, safe));
}
