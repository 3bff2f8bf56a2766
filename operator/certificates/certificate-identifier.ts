import { library } from './keys.js';

/**
 * The identifier of a certificate in the renewal information of ACME servers: the key identifier of its CA, and its serial
 * number. Undefined if the certificate does not name the key of its CA.
 * @param certificate PEM
 * @throws {Error} if it is no certificate
 * @see https://www.rfc-editor.org/rfc/rfc9773#section-4.1
 */
export async function certificateIdentifier(certificate: string): Promise<string | undefined> {
  const x509 = await library();
  const known = new x509.X509Certificate(certificate);
  const { keyId } = known.getExtension(x509.AuthorityKeyIdentifierExtension) ?? {};
  if (keyId === undefined) return undefined;
  // The library drops the zero that keeps a serial number positive.
  const serial = known.serialNumber.replace(/^(?=[89a-f])/i, '00');
  return [keyId, serial].map((hex) => Buffer.from(hex, 'hex').toString('base64url')).join('.');
}
