import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { library, newKeys, pemOf, signedWith } from './keys.js';

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
