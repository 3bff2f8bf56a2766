import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import type { PolicyRule } from '../rbac/rules.js';
import { type Identity, metadataOf } from '../workload/identity.js';
import { gatewayName } from './identity.js';

/** The ClusterRoles of proxies, which the installation provides. */
export const proxyRoles = {
  /**
   * Bound in each namespace that has proxies. The operator creates the binding, and only needs the permission to bind.
   */
  namespace: 'reconstruct-gateway-proxy',
  /** Bound once. */
  cluster: 'reconstruct-gateway-class',
} as const;

const group = 'gateway.networking.k8s.io';
const looking = ['list', 'watch'];
const routes = ['gateways', 'httproutes', 'grpcroutes', 'backendtlspolicies'];

/**
 * The objects that Traefik watches in its namespace. It does not start without permission for all of them, including
 * the Secrets. A user who can run a Pod with its ServiceAccount can read the Secrets of that namespace. Every user who
 * can run a Pod there can do that anyway.
 */
const inNamespace: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['configmaps', 'secrets', 'services'], verbs: looking },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: looking },
  { apiGroups: [group], resources: [...routes, 'referencegrants'], verbs: looking },
  { apiGroups: [group], resources: routes.map((plural) => `${plural}/status`), verbs: ['update'] },
];

/**
 * The cluster-scoped objects that Traefik watches. Traefik would also write the status of the GatewayClass. No proxy
 * has that permission, because each proxy could then write the status of every class.
 */
const inCluster: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: looking },
  { apiGroups: [group], resources: ['gatewayclasses'], verbs: looking },
];

/** The ClusterRoles for the proxies of all namespaces. */
export function proxyClusterRoles(labels: Identity['labels']): readonly ManifestOf<k8s.KubeClusterRoleProps>[] {
  return [clusterRole(proxyRoles.namespace, labels, inNamespace), clusterRole(proxyRoles.cluster, labels, inCluster)];
}

function clusterRole(
  name: string,
  labels: Identity['labels'],
  rules: readonly PolicyRule[],
): ManifestOf<k8s.KubeClusterRoleProps> {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels }, rules };
}

/** The ServiceAccount of the proxies of a namespace. */
export function proxyAccount(identity: Identity): ManifestOf<k8s.KubeServiceAccountProps> {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadataOf(identity),
    automountServiceAccountToken: false,
  };
}

/** The permissions of the proxies in their namespace. */
export function proxyBinding(identity: Identity): ManifestOf<k8s.KubeRoleBindingProps> {
  const { name, namespace } = identity;
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: metadataOf(identity),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: proxyRoles.namespace },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}

/**
 * The permissions of the proxies outside their namespace.
 * @param namespaces the namespaces that can have proxies.
 * @default - all namespaces, so that every ServiceAccount can list and watch these two kinds
 */
export function proxyClusterBinding(
  labels: Identity['labels'],
  namespaces: readonly string[] | undefined,
): ManifestOf<k8s.KubeClusterRoleBindingProps> {
  const everybody = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:serviceaccounts' };
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: proxyRoles.cluster, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: proxyRoles.cluster },
    subjects: namespaces
      ? namespaces.map((namespace) => ({ kind: 'ServiceAccount', name: gatewayName, namespace }))
      : [everybody],
  };
}
