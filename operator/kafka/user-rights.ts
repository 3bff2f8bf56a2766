import type { KafkaUserResource } from '../../imports/index.js';
import { wholeQuantity } from '../../src/index.js';
import type { KafkaAccess } from './access.js';
import type { Acl, Quotas, UserAnswer, UserRequest } from './users.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A change of a user, without how its cluster is reached. */
export type UserAct = Without<UserRequest, keyof KafkaAccess | 'user'>;

/** What a user may do. */
export interface Rights {
  readonly acls: readonly Acl[];
  readonly quotas: Quotas;
}

/** The principal of a KafkaUser, without `User:`. A certificate has the name as its common name. */
export function principalOf({ metadata, spec }: Pick<KafkaUserResource, 'metadata' | 'spec'>): string {
  return spec.authentication === 'MutualTls' ? `CN=${metadata.name}` : metadata.name;
}

type Spec = Pick<KafkaUserResource['spec'], 'acls' | 'quotas'>;

/** The rights of a spec. */
export function rightsOf(spec: Spec): Rights {
  return { acls: aclsOf(spec), quotas: quotasOf(spec) };
}

/** One ACL for each operation. */
function aclsOf({ acls }: Spec): readonly Acl[] {
  const all = acls.flatMap(({ resource, operations, type }) =>
    operations.map((operation) => ({
      // Kafka names the only resource of this type so.
      ...{ resource: resource.type, name: resource.type === 'Cluster' ? 'kafka-cluster' : (resource.name ?? '') },
      ...{ pattern: resource.patternType, operation, permission: type },
    })),
  );
  return [...new Map(all.map((acl) => [JSON.stringify(acl), acl])).values()];
}

function quotasOf({ quotas }: Spec): Quotas {
  const { producerByteRate, consumerByteRate, requestPercentage } = quotas;
  return {
    ...(producerByteRate !== undefined && { producerByteRate: Number(wholeQuantity(producerByteRate)) }),
    ...(consumerByteRate !== undefined && { consumerByteRate: Number(wholeQuantity(consumerByteRate)) }),
    ...(requestPercentage !== undefined && { requestPercentage }),
  };
}

const quotaNames = ['producerByteRate', 'consumerByteRate', 'requestPercentage'] as const;

/** The next change of the rights of a user. Undefined if it has them. */
export function rightsChange({ acls, quotas }: Rights, found: UserAnswer): UserAct | undefined {
  const add = acls.filter((acl) => !hasAcl(found, acl));
  const remove = found.acls.filter((acl) => !hasAcl({ acls }, acl));
  if (add.length + remove.length > 0) return { act: 'setAcls', add, remove };
  return quotaNames.some((name) => quotas[name] !== found.quotas[name]) ? { act: 'setQuotas', quotas } : undefined;
}

/** Whether an ACL is among those of a user. */
export function hasAcl({ acls }: Pick<Rights, 'acls'>, acl: Acl): boolean {
  return acls.some((one) => aclKey(one) === aclKey(acl));
}

function aclKey({ resource, name, pattern, operation, permission }: Acl): string {
  return JSON.stringify([resource, name, pattern, operation, permission]);
}
