import type { PolicyRule } from '../../../src/rbac/rules.js';
import type { Place } from './installed-operator.js';
import type { Access } from './permissions.js';

/** The rules of a Role or ClusterRole, and its name. */
export interface LiveRole {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Partial<PolicyRule>[] | null;
}

/** A RoleBinding or ClusterRoleBinding. */
export interface LiveBinding {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  }[];
}

/** The roles and bindings of the cluster and of the watched namespaces. */
export interface Roles {
  /** Roles have a namespace, ClusterRoles have none. */
  readonly roles: readonly LiveRole[];
  readonly bindings: readonly LiveBinding[];
}

/**
 * The permissions that no role grants to a ServiceAccount. Another authorizer of the cluster than RBAC may grant them.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export function notGranted(needed: readonly Access[], { roles, bindings }: Roles, account: Place): readonly Access[] {
  const own = bindings.filter((binding) => names(binding, account));
  const granted = own.flatMap(({ metadata: { namespace }, roleRef }) => {
    const role = roles.find(
      ({ metadata }) =>
        metadata.name === roleRef.name &&
        (roleRef.kind === 'ClusterRole' ? metadata.namespace === undefined : metadata.namespace === namespace),
    );
    return (role?.rules ?? []).map((rule) => ({ rule, namespace }));
  });
  return needed.filter(
    (access) =>
      !granted.some(
        ({ rule, namespace }) => (namespace === undefined || namespace === access.namespace) && grants(rule, access),
      ),
  );
}

function names({ subjects = [] }: LiveBinding, { namespace, name }: Place): boolean {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return subjects.some((subject) => {
    if (subject.kind === 'ServiceAccount') return subject.name === name && subject.namespace === namespace;
    if (subject.kind === 'Group') return groups.includes(subject.name);
    return subject.name === `system:serviceaccount:${namespace}:${name}`;
  });
}

function grants(
  { apiGroups = [], resources = [], verbs = [], resourceNames = [] }: Partial<PolicyRule>,
  { group, resource, verb, name }: Access,
): boolean {
  const [, below] = resource.split('/');
  const ofResource = [resource, '*', ...(below === undefined ? [] : [`*/${below}`])];
  return (
    (apiGroups.includes(group) || apiGroups.includes('*')) &&
    resources.some((one) => ofResource.includes(one)) &&
    (verbs.includes(verb) || verbs.includes('*')) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)))
  );
}
