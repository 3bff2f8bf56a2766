import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';

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

interface Issuer {
  readonly subject: readonly forge.pki.CertificateField[];
  readonly key: string;
  readonly days: number;
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
    const keys = await rsaKeys();
    const subject = [{ name: 'commonName', value: name }];
    const issuer = { subject, key: keys.privateKey, days };
    const certificate = signed(keys.publicKey, subject, issuer, [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ]);
    return new CertificateAuthority({ certificate, key: keys.privateKey }, days);
  }

  /** A certificate for both a server and a client. */
  async issue({ commonName, organizations = [], hosts = [] }: Subject): Promise<CertifiedKey> {
    const keys = await rsaKeys();
    const subject = [
      ...organizations.map((value) => ({ name: 'organizationName', value })),
      { name: 'commonName', value: commonName },
    ];
    const { subject: issuer } = forge.pki.certificateFromPem(this.own.certificate);
    const by = { subject: issuer.attributes, key: this.own.key, days: this.days };
    const certificate = signed(keys.publicKey, subject, by, [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      ...(hosts.length > 0 ? [{ name: 'subjectAltName', altNames: hosts.map(alternativeName) }] : []),
    ]);
    return { certificate, key: keys.privateKey };
  }
}

/** A key without certificate, such as the one that signs service account tokens. */
export async function signingKey(): Promise<string> {
  return (await rsaKeys()).privateKey;
}

// RSA in PKCS#1, as kubeadm creates them. Every client library reads that format.
function rsaKeys(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

function signed(
  publicKey: string,
  subject: readonly forge.pki.CertificateField[],
  issuer: Issuer,
  extensions: readonly object[],
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = serialNumber(randomBytes(15));
  certificate.validity.notBefore = new Date(Date.now() - day);
  certificate.validity.notAfter = new Date(Date.now() + issuer.days * day);
  certificate.setSubject([...subject]);
  certificate.setIssuer([...issuer.subject]);
  certificate.setExtensions([...extensions]);
  certificate.sign(forge.pki.privateKeyFromPem(issuer.key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

// 2 and 7 are the X.509 tags of a DNS name and an address.
function alternativeName(host: string): object {
  return isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
}

/**
 * A serial number that every implementation accepts: positive, and without a leading zero byte, which Go rejects as
 * malformed.
 */
export function serialNumber(random: Buffer): string {
  return `01${random.toString('hex')}`;
}
