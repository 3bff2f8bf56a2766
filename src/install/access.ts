import type { k8s } from 'cdk8s-plus-27';
import { proxyRoles } from '../gateway/access.js';
import type { Manifest, ManifestOf } from '../manifest/plain.js';
import type { PolicyRule } from '../rbac/rules.js';
import { metadataOf, objectLabels } from '../workload/identity.js';
import type { Installation } from './installation.js';

/** A Role and its binding to the operator. */
export interface Grant {
  readonly role: Manifest;
  readonly binding: Manifest;
}

/** The ServiceAccount of the operator. Only the Pods of the operator get a token, because only they request one. */
export function serviceAccount(installation: Installation): ManifestOf<k8s.KubeServiceAccountProps> {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadataOf(installation),
    automountServiceAccountToken: false,
  };
}

/** Permissions in the whole cluster. */
export function clusterGrant(installation: Installation, rules: readonly PolicyRule[]): Grant {
  return grant(installation, { cluster: true, name: installation.name, namespace: undefined, rules });
}

/** Permissions in one namespace, which can differ from the namespace of the operator. */
export function namespaceGrant(installation: Installation, namespace: string, rules: readonly PolicyRule[]): Grant {
  return grant(installation, { cluster: false, name: installation.name, namespace, rules });
}

/** The permissions for one Lease, with which the replicas elect a leader. RBAC cannot limit a create to a name. */
export function leaseGrant(installation: Installation): Grant {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  const rules = [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [installation.name], verbs: ['get', 'patch'] },
  ];
  const { name, namespace } = installation;
  return grant(installation, { cluster: false, name: `${name}-leader-election`, namespace, rules });
}

/** The permissions to authenticate and authorize the clients that read the metrics. */
export function metricsAuthGrant(installation: Installation): Grant {
  const review = (group: string, resource: string) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: ['create'],
  });
  const rules = [
    review('authentication.k8s.io', 'tokenreviews'),
    review('authorization.k8s.io', 'subjectaccessreviews'),
  ];
  return grant(installation, { cluster: true, name: `${installation.name}-metrics-auth`, namespace: undefined, rules });
}

/**
 * The permission to bind the role of the proxies, and no other role. Without it, the operator could bind the role only
 * with all of its permissions, including those for the Secrets of every namespace.
 */
export function bindGrant(installation: Installation): Grant {
  const resourceNames = [proxyRoles.namespace];
  const rules = [
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames, verbs: ['bind'] },
  ];
  return grant(installation, { cluster: true, name: `${installation.name}-gateway`, namespace: undefined, rules });
}

/** The ClusterRole that allows a client to read the metrics. */
export function metricsReader(installation: Installation): Manifest & { readonly rules: readonly object[] } {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${installation.name}-metrics-reader`, labels: objectLabels(installation) },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  };
}

interface GrantProps {
  readonly cluster: boolean;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

function grant(installation: Installation, { cluster, name, namespace, rules }: GrantProps): Grant {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = metadataOf({ ...installation, name, namespace });
  const kind = cluster ? 'ClusterRole' : 'Role';
  const role: ManifestOf<k8s.KubeRoleProps> = { apiVersion, kind, metadata, rules };
  const binding: ManifestOf<k8s.KubeRoleBindingProps> = {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', name: installation.name, namespace: installation.namespace }],
  };
  return { role, binding };
}
