import type { SecretRotationResource } from '../../../../imports/index.js';
import { type Credential, credentialHash } from '../../../../src/index.js';

/** What was reported about the same credential. It stays while nothing newer is known. */
export function reportedMark(
  type: string,
  { status }: SecretRotationResource,
  current: Credential | undefined,
): { readonly reason: string; readonly message: string } | undefined {
  if (!current || status?.credential !== credentialHash(current)) return undefined;
  const before = status.conditions?.find((one) => one.type === type);
  return before && { reason: before.reason, message: before.message };
}
