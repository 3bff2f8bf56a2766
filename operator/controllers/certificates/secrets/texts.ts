import { certificatesIn, certifiedKeyOf, parsed, publicKeyOf } from '../../../certificates/reading.js';
import type { LiveSecret } from '../../../runtime/index.js';

/** The text of a key of a Secret. Empty if it is missing, or if the Secret does not exist. */
export function textIn(secret: Pick<LiveSecret, 'data'> | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
}

/** The texts of a Secret with a certificate. Empty if they are missing. */
export interface TlsTexts {
  readonly certificate: string;
  readonly key: string;
  readonly trusted: string;
}

/** The texts of a Secret with a certificate. */
export function tlsTextsIn(secret: LiveSecret | undefined): TlsTexts | undefined {
  return (
    secret && {
      certificate: onlyCertificates(textIn(secret, 'tls.crt')),
      key: textIn(secret, 'tls.key'),
      trusted: textIn(secret, 'ca.crt'),
    }
  );
}

/** A text without private keys and others that a user has put beside the certificates, because a status has a copy of it. */
function onlyCertificates(text: string): string {
  const isPure = !/-----BEGIN (?!CERTIFICATE-----)/.test(text);
  return isPure ? text : certificatesIn(text).join('');
}

/** Whether a key is that of a certificate. */
export function isPair(certificate: string, key: string): boolean {
  const known = parsed(certificate);
  return known !== undefined && publicKeyOf(key) === certifiedKeyOf(known);
}
