import type { Acl } from '../../../kafka/users.js';

/** The numbers of the protocol. */
const resources = { Topic: 2, Group: 3, Cluster: 4, TransactionalId: 5 } as const;
const patterns = { Literal: 3, Prefixed: 4 } as const;
const permissions = { Deny: 2, Allow: 3 } as const;
const operations = {
  ...{ All: 2, Read: 3, Write: 4, Create: 5, Delete: 6, Alter: 7, Describe: 8, ClusterAction: 9, DescribeConfigs: 10 },
  ...{ AlterConfigs: 11, IdempotentWrite: 12, CreateTokens: 13, DescribeTokens: 14, TwoPhaseCommit: 15 },
} as const;

type Numbers = Readonly<Record<string, number>>;

/** A rule as the protocol has it. */
export interface WireAcl {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly resourcePatternType: number;
  readonly principal: string;
  readonly host: string;
  readonly operation: number;
  readonly permissionType: number;
}

/** Matches the rules of one principal, or of all. */
export function filterFor(principal: string | null) {
  // 1 is any.
  const any = { resourceType: 1, resourcePatternType: 1, operation: 1, permissionType: 1 } as const;
  return { ...any, resourceName: null, principal, host: null };
}

/** The principal of a user. */
export function principalOf(user: string): string {
  return `User:${user}`;
}

/**
 * A rule for the protocol.
 * @returns undefined for an operation that Kafka does not have
 */
export function wireAcl(user: string, { resource, name, pattern, operation, permission }: Acl): WireAcl | undefined {
  const number = (operations as Numbers)[operation];
  if (number === undefined) return undefined;
  return {
    ...{ resourceType: resources[resource], resourceName: name, resourcePatternType: patterns[pattern] },
    ...{ principal: principalOf(user), host: '*', operation: number, permissionType: permissions[permission] },
  };
}

/** The rule of a port. Undefined for one that the port cannot have, such as one for a single host. */
export function aclFrom(wire: Omit<WireAcl, 'principal'>): Acl | undefined {
  const resource = nameOf(resources, wire.resourceType);
  const pattern = nameOf(patterns, wire.resourcePatternType);
  const operation = nameOf(operations, wire.operation);
  const permission = nameOf(permissions, wire.permissionType);
  if (wire.host !== '*' || !resource || !pattern || !operation || !permission) return undefined;
  return { resource, name: wire.resourceName, pattern, operation, permission };
}

function nameOf<T extends Numbers>(names: T, number: number): (keyof T & string) | undefined {
  return Object.keys(names).find((name) => names[name] === number);
}
