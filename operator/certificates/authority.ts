import { isIP } from 'node:net';
import type { CertifiedKey } from './certified-key.js';
import { newKeys, pemOf } from './keys.js';
import { publicKeyOf } from './reading.js';
import { selfSigned, signedBy } from './signing.js';

export type { CertifiedKey } from './certified-key.js';

const day = 24 * 60 * 60 * 1000;

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
    const key = pemOf((await newKeys()).privateKey);
    const content = { commonName: name, usages: ['digital signature'], isCA: true, validity: lasting(days) } as const;
    return new CertificateAuthority({ certificate: await selfSigned(content, key), key }, days);
  }

  /** A certificate for both a server and a client. */
  async issue({ commonName, organizations = [], hosts = [] }: Subject): Promise<CertifiedKey> {
    const key = pemOf((await newKeys()).privateKey);
    const dnsNames = hosts.filter((host) => isIP(host) === 0);
    const ipAddresses = hosts.filter((host) => isIP(host) !== 0);
    const certificate = await signedBy(
      this.own,
      {
        ...{ commonName, organizations },
        names: { dnsNames, ipAddresses, uris: [], emailAddresses: [] },
        usages: ['digital signature', 'key encipherment', 'server auth', 'client auth'],
        isCA: false,
        validity: lasting(this.days),
      },
      publicKeyOf(key) ?? '',
    );
    return { certificate, key };
  }
}

/** A key without certificate, such as the one that signs service account tokens. */
export async function signingKey(): Promise<string> {
  return pemOf((await newKeys()).privateKey);
}

/** Certificates are dated back by a day. */
function lasting(days: number): { readonly from: number; readonly to: number } {
  const now = Date.now();
  return { from: now - day, to: now + days * day };
}
