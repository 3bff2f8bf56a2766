import { library, signedWith, verificationKeyOf } from './keys.js';
import type { SubjectNames } from './reading.js';
import { alternativeNames } from './signing.js';

/**
 * A certificate signing request: PKCS #10, PEM.
 * @param key private key, PEM
 * @throws {Error} if the key cannot sign
 * @see https://www.rfc-editor.org/rfc/rfc2986
 */
export async function signingRequestOf({ commonName, ...names }: SubjectNames, key: string): Promise<string> {
  const x509 = await library();
  const { signingAlgorithm, signingKey } = await signedWith(key);
  const publicKey = await verificationKeyOf(key);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    ...(commonName !== undefined && { name: new x509.Name([{ CN: [{ utf8String: commonName }] }]) }),
    keys: { privateKey: signingKey, publicKey },
    signingAlgorithm,
    extensions: [new x509.SubjectAlternativeNameExtension(alternativeNames(names))],
  });
  return `${request.toString('pem')}\n`;
}
