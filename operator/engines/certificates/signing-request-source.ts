import { publicKeyOf } from '../../certificates/reading.js';
import { signingRequestOf } from '../../certificates/signing-requests.js';
import type {
  SigningRequestAnswer,
  SigningRequestQuestion,
} from '../../controllers/certificates/ports/signing-request.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { Source } from '../../runtime/ports/external-port.js';

/** Signs certificate signing requests with the key in a Secret. */
export const signingRequestSource: Source<SigningRequestQuestion, SigningRequestAnswer> = async (
  { publicKey, names },
  { secret },
) => {
  const key = secret?.['tls.key'] ?? '';
  if (publicKeyOf(key) !== publicKey) throw new CallError('retryable', 'the Secret has another private key by now');
  return { csr: await signingRequestOf(names, key) };
};
