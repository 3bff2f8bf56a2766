import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../../manifest/plain.js';
import type { PolicyRule } from '../../rbac/rules.js';
import { metadataOf } from '../../workload/identity.js';
import type { DatabaseIdentity } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';

const api = 'rbac.authorization.k8s.io';

/** The ServiceAccount of the instances of a Database. Its token is mounted only in the container with Patroni. */
export function databaseAccount(identity: DatabaseIdentity): ManifestOf<k8s.KubeServiceAccountProps> {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadataOf(identity),
    automountServiceAccountToken: false,
  };
}

/**
 * The permissions of Patroni: to maintain its four ConfigMaps, and to patch the Pods of its instances. RBAC cannot
 * limit lists and creates to names.
 * @param instances Pods that it can write to
 */
export function databaseRole(identity: DatabaseIdentity, instances: readonly string[]): ManifestOf<k8s.KubeRoleProps> {
  const { leader, dynamicConfig, failover, sync } = objectNames(identity.name);
  const rule = (resources: string, verbs: readonly string[], resourceNames?: readonly string[]): PolicyRule => ({
    apiGroups: [''],
    resources: [resources],
    ...(resourceNames && { resourceNames: [...resourceNames] }),
    verbs: [...verbs],
  });
  return {
    apiVersion: `${api}/v1`,
    kind: 'Role',
    metadata: metadataOf(identity),
    rules: [
      rule('configmaps', ['create', 'list', 'watch']),
      rule('configmaps', ['get', 'patch', 'update'], [leader, dynamicConfig, failover, sync]),
      rule('pods', ['list', 'watch']),
      ...(instances.length > 0 ? [rule('pods', ['get', 'patch'], instances)] : []),
    ],
  };
}

/** Binds the role to the ServiceAccount. */
export function databaseBinding(identity: DatabaseIdentity): ManifestOf<k8s.KubeRoleBindingProps> {
  const { name, namespace } = identity;
  return {
    apiVersion: `${api}/v1`,
    kind: 'RoleBinding',
    metadata: metadataOf(identity),
    roleRef: { apiGroup: api, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}
