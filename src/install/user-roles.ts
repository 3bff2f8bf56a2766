import type { k8s } from 'cdk8s-plus-27';
import type { CustomResourceDefinition } from '../../crds/index.js';
import type { ManifestOf } from '../manifest/plain.js';
import type { PolicyRule } from '../rbac/rules.js';

const looking = ['get', 'list', 'watch'];
const editing = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/**
 * Lets users who can view or edit the workloads of a namespace do the same with the resources of a kind. Kubernetes
 * aggregates these roles into its own roles `view`, `edit` and `admin`. `admin` needs no role of its own, because it
 * includes `edit`.
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
