import { createPublicKey, randomBytes } from 'node:crypto';
import type { CertifiedKey } from './certified-key.js';
import { library, signedWith } from './keys.js';
import { parsed, type SubjectNames, validityOf } from './reading.js';
import { effectiveUsages, extendedKeyUsages, keyUsageBits, type Usage } from './usages.js';

/** What a certificate says. */
export interface CertificateContent {
  /** @default - no names beside the common name */
  readonly names?: Omit<SubjectNames, 'commonName'>;
  readonly commonName?: string | undefined;
  /** @default none */
  readonly organizations?: readonly string[];
  readonly usages: readonly Usage[];
  readonly isCA: boolean;
  /** Milliseconds since 1970. */
  readonly validity: { readonly from: number; readonly to: number };
}

/** A private key in PEM format signs its own certificate. */
export async function selfSigned(content: CertificateContent, key: string): Promise<string> {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return signed({ ...content, publicKey }, { key });
}

/**
 * Signs the certificate of a public key. The certificate does not outlive that of the signer.
 * @param publicKey SubjectPublicKeyInfo, in base64
 * @throws {Error} if the signer's certificate has expired, or if its key is not its own
 */
export async function signedBy(signer: CertifiedKey, content: CertificateContent, publicKey: string): Promise<string> {
  const authority = parsed(signer.certificate);
  if (!authority) throw new Error('the CA has no certificate in PEM format');
  const { from, to } = content.validity;
  const last = validityOf(authority).to;
  if (last <= from) throw new Error(`the certificate of the CA expired at ${new Date(last).toISOString()}`);
  const validity = { from: Math.max(from, validityOf(authority).from), to: Math.min(to, last) };
  return signed({ ...content, validity, publicKey: Buffer.from(publicKey, 'base64') }, signer);
}

async function signed(
  { publicKey, ...content }: CertificateContent & { readonly publicKey: Buffer },
  signer: { readonly certificate?: string; readonly key: string },
): Promise<string> {
  const x509 = await library();
  const subject = new x509.Name(subjectOf(content));
  const known = signer.certificate === undefined ? undefined : new x509.X509Certificate(signer.certificate);
  const { from, to } = content.validity;
  const certificate = await x509.X509CertificateGenerator.create({
    ...(await signedWith(signer.key)),
    serialNumber: serialNumber(randomBytes(15)),
    ...{ notBefore: new Date(from), notAfter: new Date(to) },
    ...{ subject, issuer: known?.subjectName ?? subject, publicKey },
    extensions: [
      ...(await extensionsOf(content)),
      // Clients find the CA by these if two have the same name, as during a renewal of the CA.
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(known?.publicKey ?? publicKey),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** As objects: the library would interpret quotes and number signs in plain strings. */
function subjectOf({ commonName, organizations = [] }: CertificateContent) {
  const all = [
    ...organizations.map((one) => ['O', one] as const),
    ...(commonName === undefined ? [] : [['CN', commonName] as const]),
  ];
  return all.map(([attribute, utf8String]) => ({ [attribute]: [{ utf8String }] }));
}

async function extensionsOf(content: CertificateContent) {
  const x509 = await library();
  const usages = effectiveUsages(content.usages, content.isCA);
  const bits = keyUsageBits(usages);
  const extended = extendedKeyUsages(usages);
  const names = alternativeNames(content.names);
  const isNameless = subjectOf(content).length === 0;
  return [
    ...(content.isCA ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
    // The flags of the library have the order of RFC 5280.
    ...(bits === 0 ? [] : [new x509.KeyUsagesExtension(bits, true)]),
    ...(extended.length > 0 ? [new x509.ExtendedKeyUsageExtension([...extended])] : []),
    // RFC 5280 requires the extension to be critical if the subject is empty.
    ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names, isNameless)] : []),
  ];
}

/** Subject alternative names, as the library takes them. */
export function alternativeNames(names: CertificateContent['names']) {
  const { dnsNames = [], ipAddresses = [], uris = [], emailAddresses = [] } = names ?? {};
  const as = (type: 'dns' | 'ip' | 'url' | 'email', values: readonly string[]) =>
    values.map((value) => ({ type, value }));
  return [...as('dns', dnsNames), ...as('ip', ipAddresses), ...as('url', uris), ...as('email', emailAddresses)];
}

/**
 * A serial number that every implementation accepts: positive, and without a leading zero byte, which Go rejects as
 * malformed.
 */
export function serialNumber(random: Buffer): string {
  return `01${random.toString('hex')}`;
}
