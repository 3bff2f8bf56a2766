import type { CallState } from '../../../../runtime/index.js';
import { allowLoginsAnnotation } from '../annotations/unclaimed-logins.js';
import { type ConditionMark, listed, type Observation, unreachable } from './observation.js';

/**
 * Whether each user that the operator created has its resource. One that is not refused yet is not reported: the answer may be
 * from before its KafkaUser was deleted, with the login.
 */
export function claimedOf({ situation }: Observation, call: CallState): ConditionMark<'Claimed'> {
  const { cluster, silence, isBootstrapped, logins } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  const { refused = [], allowed = [], request } = logins ?? {};
  if (refused.length > 0) {
    const message = `Kafka refuses everything to ${listed(refused)}, which no KafkaUser or SecretRotation has; create the KafkaUser, or name the users in the annotation ${allowLoginsAnnotation}`;
    return { reason: 'LoginsUnclaimed', message };
  }
  if (request && call.state === 'failed' && call.kind !== 'unreachable') {
    const change = request.act === 'refuseLogins' ? 'refused' : 'allowed';
    return { reason: 'RequestFailed', message: `Logins of ${listed(request.users)} are not ${change}: ${call.why}` };
  }
  if (allowed.length === 0) return { reason: 'Claimed' };
  const message = `The annotation ${allowLoginsAnnotation} allows ${listed(allowed)}, which no KafkaUser or SecretRotation has`;
  return { reason: 'LoginsAllowed', message };
}
