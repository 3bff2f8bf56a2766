import type { CertifiedKey } from '../../certificates/certified-key.js';
import { certifiedKeyOf, fingerprintOf, parsed, publicKeyOf } from '../../certificates/reading.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { SecretData } from '../../runtime/ports/external-port.js';

/**
 * The CA in a Secret.
 * @param fingerprint that of the expected certificate. What another CA signs would be signed again at once
 * @throws {CallError} if the Secret has no CA with its key, or another CA
 */
export function authorityIn(secret: SecretData | undefined, fingerprint: string): CertifiedKey {
  const signer = { certificate: secret?.['tls.crt'] ?? '', key: secret?.['tls.key'] ?? '' };
  const authority = parsed(signer.certificate);
  if (!authority || publicKeyOf(signer.key) !== certifiedKeyOf(authority))
    throw new CallError('unauthorized', 'the Secret of the CA has no certificate with its private key');
  if (fingerprintOf(authority) !== fingerprint)
    throw new CallError('retryable', 'the Secret of the CA has another CA than the status of the issuer');
  return signer;
}
