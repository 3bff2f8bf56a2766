import type { k8s } from 'cdk8s-plus-27';
import type { CustomResourceDefinition } from '../../crds/index.js';
import type { ManifestOf } from '../plain.js';
import type { PolicyRule } from './rules.js';

const looking = ['get', 'list', 'watch'];
const editing = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/**
 * Lets people who may view or edit a namespace's workloads do the same with a kind's resources: Kubernetes adds these
 * roles to its own `view`, `edit` and `admin`. None is for `admin` alone, which has all of `edit` anyway.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export function userRoles({ spec }: CustomResourceDefinition): readonly ManifestOf<k8s.KubeClusterRoleProps>[] {
  const { group } = spec;
  const { plural } = spec.names;
  const scale = spec.versions.some(({ subresources }) => subresources?.scale) ? [`${plural}/scale`] : [];
  const rule = (resources: readonly string[], verbs: readonly string[]) => ({ apiGroups: [group], resources, verbs });
  return [
    userRole(`${plural}.${group}`, 'view', [
      rule([plural, `${plural}/status`], looking),
      ...scale.map((resource) => rule([resource], ['get'])),
    ]),
    userRole(`${plural}.${group}`, 'edit', [
      rule([plural], editing),
      ...scale.map((resource) => rule([resource], ['patch', 'update'])),
    ]),
  ];
}

function userRole(
  owner: string,
  of: 'view' | 'edit',
  rules: readonly PolicyRule[],
): ManifestOf<k8s.KubeClusterRoleProps> {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${owner}-${of}`, labels: { [`rbac.authorization.k8s.io/aggregate-to-${of}`]: 'true' } },
    rules,
  };
}
