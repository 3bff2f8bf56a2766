import type { KafkaUserResource } from '../../../../imports/index.js';
import { hasAcl, type Rights, rightsChange, rightsOf, type UserAct } from '../../../kafka/user-rights.js';
import { type UserAnswer, userMark } from '../../../kafka/users.js';
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

/** The steps that may be taken now. The mark is there before the login. */
export function dueSteps(situation: Situation): Plan {
  const plan = planOf(situation);
  const { found } = situation;
  if (!plan || !found) return {};
  const { login, ...rest } = plan;
  return login?.act === 'setPassword' && !hasAcl(found, userMark) ? rest : plan;
}

/**
 * The changes of a user.
 * @param hash of the password in the Secret. Undefined while it has none
 */
export function changesOf(resource: KafkaUserResource, found: UserAnswer, hash: string | undefined): Plan {
  const isGoing = resource.metadata.deletionTimestamp !== undefined;
  const login = isGoing ? withdrawal(found) : loginChange(resource, found, hash);
  const rights = rightsChange(isGoing ? remainder(found) : markedRights(resource), found);
  return { ...(login && { login }), ...(rights && { rights }) };
}

/** Denials of a cluster that refused the login are not among them, and are removed. */
function markedRights({ spec }: KafkaUserResource): Rights {
  const { acls, quotas } = rightsOf(spec);
  return { acls: [userMark, ...acls], quotas };
}

/** The mark is removed last, so that no login is left that nobody knows. */
function remainder(found: UserAnswer): Rights {
  return { acls: found.hasCredential && hasAcl(found, userMark) ? [userMark] : [], quotas: {} };
}

function withdrawal({ hasCredential }: UserAnswer): Step | undefined {
  return hasCredential ? { act: 'deletePassword' } : undefined;
}

function loginChange({ spec }: KafkaUserResource, found: UserAnswer, hash: string | undefined): Step | undefined {
  if (spec.authentication !== 'Scram') return withdrawal(found);
  const works = found.accepts ?? found.hasCredential;
  return works || hash === undefined ? undefined : { act: 'setPassword', hash };
}
