import { createHash, createPrivateKey, type X509Certificate } from 'node:crypto';
import {
  bmpString,
  type ContentInfo,
  dataOf,
  encryptedDataOf,
  inDer,
  objectId,
  octets,
  type PKCS12Attribute,
  pfx,
  type SafeBag,
} from './asn1.js';
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
  const { algorithm: encryptionAlgorithm, encrypted } = encryptedWith(protection, 'key', privateKey);
  const { PKCS8ShroudedKeyBag, SafeContents, id_pkcs8ShroudedKeyBag } = pfx();
  const keyBag = new PKCS8ShroudedKeyBag({ encryptionAlgorithm, encryptedData: octets(encrypted) });
  const keys = new SafeContents([bag(id_pkcs8ShroudedKeyBag, keyBag, names)]);
  const bags = chain.map((one, index) => bagOf(one, index === 0 ? names : []));
  return storeOf(protection, [encryptedBags(protection, bags), dataOf(inDer(keys))]);
}

function trustStoreFrom({ trusted, password, secret = '' }: TrustStoreContent): Buffer {
  const all = new Map(readable(trusted).map((one) => [one.fingerprint256, one]));
  const protection = {
    password,
    salt: saltsOf(Buffer.from(secret), password, ...[...all.values()].map(({ raw }) => raw)),
  };
  const bags = [...all].map(([fingerprint, one]) => {
    const alias = fingerprint.replaceAll(':', '').toLowerCase();
    return bagOf(one, [attribute(trustedKeyUsage, objectId(anyUsage)), attribute(friendlyName, bmpString(alias))]);
  });
  return storeOf(protection, [encryptedBags(protection, bags)]);
}

function readable(bundle: string): readonly X509Certificate[] {
  return certificatesIn(bundle).flatMap((pem) => parsed(pem) ?? []);
}

function bagOf({ raw }: X509Certificate, attributes: PKCS12Attribute[]): SafeBag {
  const { CertBag, id_certBag, id_x509Certificate: certId } = pfx();
  return bag(id_certBag, new CertBag({ certId, certValue: inDer(octets(raw)) }), attributes);
}

/** @param attributes in the order of their bytes, as DER has a set: the library sorts none */
function bag(bagId: string, value: object, attributes: PKCS12Attribute[]): SafeBag {
  return new (pfx().SafeBag)({
    bagId,
    bagValue: inDer(value),
    ...(attributes.length > 0 && { bagAttributes: attributes }),
  });
}

function bytesOf(value: object): Buffer {
  return Buffer.from(inDer(value));
}

function attribute(attrId: string, value: object): PKCS12Attribute {
  // Its constructor ignores what it is given.
  return Object.assign(new (pfx().PKCS12Attribute)(), { attrId, attrValues: [inDer(value)] });
}

function encryptedBags(protection: Protection, bags: SafeBag[]): ContentInfo {
  const { algorithm, encrypted } = encryptedWith(protection, 'certificates', bytesOf(new (pfx().SafeContents)(bags)));
  return encryptedDataOf(algorithm, encrypted);
}

function storeOf(protection: Protection, contents: ContentInfo[]): Buffer {
  const { AuthenticatedSafe, PFX } = pfx();
  const safe = inDer(new AuthenticatedSafe(contents));
  return bytesOf(new PFX({ authSafe: dataOf(safe), macData: authenticationOf(protection, Buffer.from(safe)) }));
}
