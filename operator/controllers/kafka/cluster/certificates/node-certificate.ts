import { fingerprint } from '../../../../../src/manifest/fingerprint.js';
import {
  certificatesIn,
  fingerprintOf,
  isSignedBy,
  parsed,
  type Validity,
  validityOf,
} from '../../../../certificates/reading.js';
import type { LiveSecret } from '../../../../runtime/index.js';

/** The certificate in a Secret that nodes mount. */
export interface NodeCertificate {
  /**
   * Identifies the authorities that nodes trust, and the one that signed the certificate. Nodes load both anew, except for
   * their connection to the metadata quorum.
   */
  readonly authorities: string;
  /** SHA-256 of the certificate, in hexadecimal digits. Absent if it cannot be read. */
  readonly fingerprint?: string;
  /** Absent if it cannot be read. */
  readonly validity?: Validity;
}

/** The certificate in a Secret. Undefined while it has none. */
export function nodeCertificateIn({ data = {} }: Pick<LiveSecret, 'data'>): NodeCertificate | undefined {
  if (data['tls.crt'] === undefined) return undefined;
  const textOf = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const authorities = textOf('ca.crt');
  const certificate = parsed(textOf('tls.crt'));
  if (!certificate) return { authorities: fingerprint([authorities]) };
  // An authority that rolls over keeps its name, so its certificate identifies it.
  const signer = certificatesIn(authorities).find((one) => {
    const authority = parsed(one);
    return authority !== undefined && isSignedBy(certificate, authority);
  });
  return {
    authorities: fingerprint([authorities, signer ?? certificate.issuer]),
    fingerprint: fingerprintOf(certificate),
    validity: validityOf(certificate),
  };
}
