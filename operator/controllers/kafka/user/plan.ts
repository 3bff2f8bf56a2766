import type { KafkaUserResource } from '../../../../imports/index.js';
import { rightsChange, rightsOf, type UserAct } from '../../../kafka/user-rights.js';
import type { UserAnswer } from '../../../kafka/users.js';

/** The changes that a user needs, by the part that they concern. At most one of each. */
export interface UserChanges {
  readonly login?: UserAct;
  readonly rights?: UserAct;
}

/**
 * The changes of a user.
 * @param hash of the password in the Secret. Undefined while it has none
 */
export function changesOf(resource: KafkaUserResource, found: UserAnswer, hash: string | undefined): UserChanges {
  const isGoing = resource.metadata.deletionTimestamp !== undefined;
  const login = isGoing ? withdrawal(found) : loginChange(resource, found, hash);
  const rights = rightsChange(isGoing ? { acls: [], quotas: {} } : rightsOf(resource.spec), found);
  return { ...(login && { login }), ...(rights && { rights }) };
}

function withdrawal({ hasCredential }: UserAnswer): UserAct | undefined {
  return hasCredential ? { act: 'deletePassword' } : undefined;
}

function loginChange({ spec }: KafkaUserResource, found: UserAnswer, hash: string | undefined): UserAct | undefined {
  if (spec.authentication !== 'Scram') return withdrawal(found);
  const works = found.accepts ?? found.hasCredential;
  return works || hash === undefined ? undefined : { act: 'setPassword', hash };
}
