import type { k8s } from 'cdk8s-plus-27';
import type { PolicyRule } from '../install/rules.js';
import type { ManifestOf } from '../plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';
import { gatewayName } from './identity.js';

/** The ClusterRoles of proxies, which come with the installation. */
export const proxyRoles = {
  /** Bound in each namespace that has proxies: by whoever makes them, who needs no more than to bind it. */
  namespace: 'reconstruct-gateway-proxy',
  /** Bound once. */
  cluster: 'reconstruct-gateway-class',
} as const;

const group = 'gateway.networking.k8s.io';
const looking = ['list', 'watch'];
const routes = ['gateways', 'httproutes', 'grpcroutes', 'backendtlspolicies'];

/**
 * What Traefik watches in its namespace. It does not start without any of these, the Secrets among them: who may run
 * a pod as its ServiceAccount may read the Secrets of that namespace, which who may run a pod there may anyway.
 */
const inNamespace: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['configmaps', 'secrets', 'services'], verbs: looking },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: looking },
  { apiGroups: [group], resources: [...routes, 'referencegrants'], verbs: looking },
  { apiGroups: [group], resources: routes.map((plural) => `${plural}/status`), verbs: ['update'] },
];

/**
 * What it watches in no namespace. It would say of the class that it is accepted, too, but so could every tenant's proxy
 * of everybody's class: nobody may.
 */
const inCluster: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: looking },
  { apiGroups: [group], resources: ['gatewayclasses'], verbs: looking },
];

/** The roles that the proxies of every namespace are bound to. */
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

/** Who the proxies of a namespace are. */
export function proxyAccount(identity: Identity): ManifestOf<k8s.KubeServiceAccountProps> {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadataOf(identity),
    automountServiceAccountToken: false,
  };
}

/** What they may in their namespace. */
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
 * What they may outside of it.
 * @param namespaces those that may have proxies. @default - all: then every ServiceAccount may look at these two kinds
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
