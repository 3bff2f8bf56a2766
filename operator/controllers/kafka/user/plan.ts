import type { KafkaUserResource } from '../../../../imports/index.js';
import { wholeQuantity } from '../../../../src/index.js';
import type { KafkaAccess } from '../ports/access.js';
import type { Acl, Quotas, UserAnswer, UserRequest } from '../ports/users.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A change of a user, without how its cluster is reached. */
export type UserAct = Without<UserRequest, keyof KafkaAccess | 'user'>;

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
  const rights = rightsChange(isGoing ? [] : aclsOf(resource), isGoing ? {} : quotasOf(resource), found);
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

function rightsChange(acls: readonly Acl[], quotas: Quotas, found: UserAnswer): UserAct | undefined {
  const key = (acl: Acl) => JSON.stringify([acl.resource, acl.name, acl.pattern, acl.operation, acl.permission]);
  const [wanted, present] = [new Set(acls.map(key)), new Set(found.acls.map(key))];
  const add = acls.filter((acl) => !present.has(key(acl)));
  const remove = found.acls.filter((acl) => !wanted.has(key(acl)));
  if (add.length + remove.length > 0) return { act: 'setAcls', add, remove };
  const names = ['producerByteRate', 'consumerByteRate', 'requestPercentage'] as const;
  return names.some((name) => quotas[name] !== found.quotas[name]) ? { act: 'setQuotas', quotas } : undefined;
}

/** The ACLs of a spec, one for each operation. */
export function aclsOf({ spec }: KafkaUserResource): readonly Acl[] {
  const all = spec.acls.flatMap(({ resource, operations, type }) =>
    operations.map((operation) => ({
      // Kafka names the only resource of this type so.
      ...{ resource: resource.type, name: resource.type === 'Cluster' ? 'kafka-cluster' : (resource.name ?? '') },
      ...{ pattern: resource.patternType, operation, permission: type },
    })),
  );
  return [...new Map(all.map((acl) => [JSON.stringify(acl), acl])).values()];
}

function quotasOf({ spec: { quotas } }: KafkaUserResource): Quotas {
  const { producerByteRate, consumerByteRate, requestPercentage } = quotas;
  return {
    ...(producerByteRate !== undefined && { producerByteRate: Number(wholeQuantity(producerByteRate)) }),
    ...(consumerByteRate !== undefined && { consumerByteRate: Number(wholeQuantity(consumerByteRate)) }),
    ...(requestPercentage !== undefined && { requestPercentage }),
  };
}
