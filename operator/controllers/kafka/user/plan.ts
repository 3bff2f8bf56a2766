import type { KafkaUserResource } from '../../../../imports/index.js';
import { rightsChange, rightsOf, type UserAct } from '../../../kafka/user-rights.js';
import type { UserAnswer } from '../../../kafka/users.js';
import type { Situation } from './situation.js';

/** A change of a user in Kafka. */
export type Step = UserAct;

/** The steps that a user needs, by the part that they concern. At most one of each. */
export interface Plan {
  readonly login?: Step;
  readonly rights?: Step;
}

/** The steps that are due. Undefined while the state of the user is not known. */
export function planOf({ resource, found, hash }: Situation): Plan | undefined {
  return found && changesOf(resource, found, hash);
}

/**
 * The changes of a user.
 * @param hash of the password in the Secret. Undefined while it has none
 */
export function changesOf(resource: KafkaUserResource, found: UserAnswer, hash: string | undefined): Plan {
  const isGoing = resource.metadata.deletionTimestamp !== undefined;
  const login = isGoing ? withdrawal(found) : loginChange(resource, found, hash);
  const rights = rightsChange(isGoing ? { acls: [], quotas: {} } : rightsOf(resource.spec), found);
  return { ...(login && { login }), ...(rights && { rights }) };
}

function withdrawal({ hasCredential }: UserAnswer): Step | undefined {
  return hasCredential ? { act: 'deletePassword' } : undefined;
}

function loginChange({ spec }: KafkaUserResource, found: UserAnswer, hash: string | undefined): Step | undefined {
  if (spec.authentication !== 'Scram') return withdrawal(found);
  const works = found.accepts ?? found.hasCredential;
  return works || hash === undefined ? undefined : { act: 'setPassword', hash };
}
