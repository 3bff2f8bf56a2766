import { integer } from './asn1.js';
import type { CertifiedKey } from './certified-key.js';
import { library, signedWith } from './keys.js';

/** A list of revoked certificates. */
export interface Revocations {
  /** Serial numbers in hexadecimal digits. */
  readonly revoked: readonly string[];
  /** Greater than the number of each earlier list. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds since 1970: clients reject the list afterwards. */
  readonly to: number;
}

/** Signs a certificate revocation list. @returns it in PEM format, with the label that OpenSSL reads */
export async function revocationList(
  signer: CertifiedKey,
  { revoked, number, from, to }: Revocations,
): Promise<string> {
  const x509 = await library();
  const authority = new x509.X509Certificate(signer.certificate);
  const revocationDate = new Date(from);
  const list = await x509.X509CrlGenerator.create({
    ...(await signedWith(signer.key)),
    issuer: authority.subjectName,
    ...{ thisUpdate: new Date(from), nextUpdate: new Date(to) },
    entries: revoked.map((serial) => ({ serialNumber: serial, revocationDate })),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      new x509.Extension('2.5.29.20', false, integer(number).toBER()),
    ],
  });
  return `${list.toString('pem').replaceAll(/(BEGIN|END) CRL/g, '$1 X509 CRL')}\n`;
}
