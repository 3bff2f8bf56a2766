import type { Manifest } from '../../manifest/plain.js';
import type { PolicyRule } from '../../rbac/rules.js';
import { metadataOf } from '../../workload/identity.js';
import { type SparkIdentity, sparkObjectNames, sparkPorts, sparkSelector } from '../naming/identity.js';

const api = 'rbac.authorization.k8s.io';

/**
 * What a driver does in its namespace at most: it creates executors, watches and marks them. If their number follows the load, it
 * also deletes those that it needs no longer. RBAC cannot limit creates and lists to names.
 * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#rbac
 */
export const sparkDriverRules: readonly PolicyRule[] = driverRules(true);

function driverRules(isDynamic: boolean): readonly PolicyRule[] {
  const deletes = isDynamic ? ['deletecollection'] : [];
  return [{ apiGroups: [''], resources: ['pods'], verbs: ['create', ...deletes, 'get', 'list', 'patch', 'watch'] }];
}

/** What decides the permissions of a driver. */
export interface DriverAccess {
  /** Whether the number of executors follows the load. @default false */
  readonly isDynamic?: boolean;
}

/**
 * The ServiceAccount of all Pods of a SparkJob, whose token only the driver mounts, and its permissions.
 */
export function sparkAccess(identity: SparkIdentity, { isDynamic = false }: DriverAccess): readonly Manifest[] {
  const { own: name } = sparkObjectNames(identity.name);
  const metadata = metadataOf(identity, name);
  const { namespace } = identity;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${api}/v1`, kind: 'Role', metadata, rules: driverRules(isDynamic) },
    {
      ...{ apiVersion: `${api}/v1`, kind: 'RoleBinding', metadata },
      roleRef: { apiGroup: api, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ] as Manifest[];
}

/** Opens the Pods of a job to each other. The page of the driver is reached by `kubectl port-forward`. */
export function sparkNetworkPolicy(identity: SparkIdentity): Manifest {
  const all = sparkSelector(identity.name);
  const ports = [sparkPorts.driver, sparkPorts.blockManager].map((port) => ({ port, protocol: 'TCP' }));
  const spec = {
    podSelector: { matchLabels: all },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: all } }], ports }],
  };
  const metadata = metadataOf(identity, sparkObjectNames(identity.name).own);
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec } as Manifest;
}
