import type { SecretRotationResource } from '../../../../imports/index.js';
import { type Credential, credentialHash } from '../../../../src/index.js';
import { conditionOf } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';

/** What was reported about the same credential. It stays while nothing newer is known. */
export function reportedMark(
  type: keyof typeof conditions,
  resource: SecretRotationResource,
  current: Credential | undefined,
): { readonly reason: string; readonly message: string } | undefined {
  if (!current || resource.status?.credential !== credentialHash(current)) return undefined;
  const before = conditionOf<typeof conditions>(resource, type);
  return before && { reason: before.reason, message: before.message };
}
