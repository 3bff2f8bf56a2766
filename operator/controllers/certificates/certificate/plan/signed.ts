import { publicKeyOf } from '../../../../certificates/reading.js';
import { requestIn } from '../../request/certificate-request.js';
import { rejectionOf } from '../../request/rejection.js';
import { isAwaited, keyForNext, type Situation } from '../situation.js';
import type { Step } from './step.js';

/** A CA signs the certificate. Its answer is checked before it replaces the present one. */
export function signed(situation: Situation): Step | undefined {
  const { issuer, resource, polled, now } = situation;
  const key = keyForNext(situation);
  if (issuer.is !== 'available' || key === undefined) return undefined;
  const publicKey = publicKeyOf(key);
  if (!polled.signed?.known || !isAwaited(situation) || publicKey === undefined) return { act: 'wait' };
  const { certificate } = polled.signed.value;
  const rejection = rejectionOf(certificate, {
    question: { publicKey },
    request: requestIn(resource.spec),
    issuer,
    now,
  });
  if (rejection !== undefined) return { act: 'wait', rejection };
  return { act: 'issue', texts: { certificate: `${certificate}${issuer.chain}`, key, trusted: issuer.trusted } };
}
