import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import {
  ClusterRole,
  ClusterRoleBinding,
  type ObjectKind,
  Role,
  RoleBinding,
} from '../../operator/runtime/kubernetes/kinds.js';
import { listed } from '../status/listed-resources.js';
import type { InstalledOperator, Place } from './findings/installed-operator.js';
import type { Access } from './findings/permissions.js';
import { type Reading, reading, rightTo } from './findings/reading.js';
import { type LiveBinding, type LiveRole, notGranted } from './findings/role-rules.js';

/**
 * The permissions that the operator lacks. The API server decides on each of them if the user may ask it to. Otherwise
 * they are compared with the roles that the user can read.
 */
export async function lackingAccess(
  cluster: KubernetesCluster,
  needed: readonly Access[],
  { serviceAccount, namespaces }: Pick<InstalledOperator, 'serviceAccount' | 'namespaces'>,
): Promise<Reading<readonly Access[]>> {
  const [first, ...others] = needed;
  if (!first) return { value: [] };
  try {
    // One review first, because a user who may not ask for it may not ask for hundreds.
    const allowed = [await isAllowed(cluster, first, serviceAccount)];
    allowed.push(...(await Promise.all(others.map((one) => isAllowed(cluster, one, serviceAccount)))));
    return { value: needed.filter((_, index) => !allowed[index]) };
  } catch (error) {
    if (!isApiError(error, 'Forbidden')) throw error;
    return lackingByRoles(cluster, needed, { serviceAccount, namespaces });
  }
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/subject-access-review-v1/ */
async function isAllowed(cluster: KubernetesCluster, access: Access, account: Place): Promise<boolean> {
  const apiVersion = 'authorization.k8s.io/v1';
  const [resource, subresource] = access.resource.split('/');
  const spec = {
    user: `system:serviceaccount:${account.namespace}:${account.name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'],
    resourceAttributes: { ...access, resource, ...(subresource !== undefined && { subresource }) },
  };
  const answer = (await cluster.transport.json({
    method: 'POST',
    path: `/apis/${apiVersion}/subjectaccessreviews`,
    body: { apiVersion, kind: 'SubjectAccessReview', spec },
  })) as { readonly status?: { readonly allowed?: boolean } };
  return answer.status?.allowed === true;
}

async function lackingByRoles(
  cluster: KubernetesCluster,
  needed: readonly Access[],
  { serviceAccount, namespaces }: Pick<InstalledOperator, 'serviceAccount' | 'namespaces'>,
): Promise<Reading<readonly Access[]>> {
  const places = new Set([serviceAccount.namespace, ...namespaces]);
  const all = <T>(kind: ObjectKind, namespace?: string) =>
    reading(rightTo('list', kind, namespace), () => listed<T>(cluster, kind, { namespace }));
  const roles = await Promise.all([
    all<LiveRole>(ClusterRole),
    ...[...places].map((namespace) => all<LiveRole>(Role, namespace)),
  ]);
  const bindings = await Promise.all([
    all<LiveBinding>(ClusterRoleBinding),
    ...[...places].map((namespace) => all<LiveBinding>(RoleBinding, namespace)),
  ]);
  const missing = [...roles, ...bindings].find((one) => 'missing' in one);
  if (missing && 'missing' in missing)
    return { missing: `create subjectaccessreviews.authorization.k8s.io, or ${missing.missing}` };
  const values = <T>(readings: readonly Reading<readonly T[]>[]) =>
    readings.flatMap((one) => ('value' in one ? one.value : []));
  return { value: notGranted(needed, { roles: values(roles), bindings: values(bindings) }, serviceAccount) };
}
