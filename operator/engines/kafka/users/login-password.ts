import type { LoginKeys } from '../../../kafka/users.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { SecretData } from '../../../runtime/ports/external-port.js';

/**
 * The password of a user in a Secret. Undefined if the Secret has none.
 * @throws {CallError} if the Secret has another user under these keys, because it has changed since it was observed
 */
export function loginPassword(user: string, secret: SecretData = {}, keys?: LoginKeys): string | undefined {
  if (keys && secret[keys.username] !== user)
    throw new CallError('retryable', `The login of ${user} in the Secret has changed meanwhile`, {
      mayHaveEffect: false,
    });
  return secret[keys?.password ?? 'password'];
}
