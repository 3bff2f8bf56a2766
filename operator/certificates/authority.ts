import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type * as X509 from '@peculiar/x509';

const day = 24 * 60 * 60 * 1000;

/** A certificate and its private key, both in PEM format. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}

/** The subject of a certificate. Kubernetes reads the name of a user and its groups from it. */
export interface Subject {
  readonly commonName: string;
  /** @default none */
  readonly organizations?: readonly string[];
  /** Host names and addresses of a server. @default none */
  readonly hosts?: readonly string[];
}

/** The default validity of certificates, in days. */
const year = 365;

/** Signs the certificates of servers and clients that trust only this authority. */
export class CertificateAuthority {
  /** @param days the validity of the certificates that it signs */
  constructor(
    readonly own: CertifiedKey,
    readonly days = year,
  ) {}

  /** Creates an authority with a new key. @param name another name if two are trusted at the same time */
  static async create(days = year, name = 'cdk8s-reconstruct'): Promise<CertificateAuthority> {
    const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } = await library();
    const { publicKey, privateKey } = await newKeys();
    const key = pemOf(privateKey);
    const subject = [{ CN: [name] }];
    const certificate = await X509CertificateGenerator.create({
      ...lasting(days),
      ...(await signedWith(key)),
      ...{ subject, issuer: subject, publicKey },
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      ],
    });
    return new CertificateAuthority({ certificate: `${certificate.toString('pem')}\n`, key }, days);
  }

  /** A certificate for both a server and a client. */
  async issue({ commonName, organizations = [], hosts = [] }: Subject): Promise<CertifiedKey> {
    const x509 = await library();
    const { publicKey, privateKey } = await newKeys();
    const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
    const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
    const certificate = await x509.X509CertificateGenerator.create({
      ...lasting(this.days),
      ...(await signedWith(this.own.key)),
      subject: [...organizations.map((one) => ({ O: [one] })), { CN: [commonName] }],
      issuer: new x509.X509Certificate(this.own.certificate).subjectName,
      publicKey,
      extensions: [
        new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
        new x509.ExtendedKeyUsageExtension([serverAuth, clientAuth]),
        ...(hosts.length > 0 ? [new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName))] : []),
      ],
    });
    return { certificate: `${certificate.toString('pem')}\n`, key: pemOf(privateKey) };
  }
}

/** A key without certificate, such as the one that signs service account tokens. */
export async function signingKey(): Promise<string> {
  return pemOf((await newKeys()).privateKey);
}

/** Loaded with the first certificate, because most operators make none. The library requires the polyfill. */
async function library(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

// An RSA key would take a hundred times as long to generate.
function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(elliptic, true, ['sign', 'verify']);
}

// SEC 1, the format that an API server reads a public key from too.
function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();
}

/** How the holder of a key signs certificates. Earlier versions made authorities with RSA keys. */
export async function signedWith(key: string) {
  const known = createPrivateKey(key);
  const signingAlgorithm = known.asymmetricKeyType === 'rsa' ? rsa : elliptic;
  const pkcs8 = known.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, signingAlgorithm, false, ['sign']);
  return { signingAlgorithm, signingKey };
}

function lasting(days: number) {
  const now = Date.now();
  const [notBefore, notAfter] = [new Date(now - day), new Date(now + days * day)];
  return { serialNumber: serialNumber(randomBytes(15)), notBefore, notAfter };
}

function alternativeName(host: string): { readonly type: 'dns' | 'ip'; readonly value: string } {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
}

/**
 * A serial number that every implementation accepts: positive, and without a leading zero byte, which Go rejects as
 * malformed.
 */
export function serialNumber(random: Buffer): string {
  return `01${random.toString('hex')}`;
}
