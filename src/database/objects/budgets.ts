import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type DatabaseIdentity, instanceSelector, roleLabel } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';

type Budget = ManifestOf<k8s.KubePodDisruptionBudgetProps>;

/**
 * Two budgets. A drain cannot evict the primary until another instance has taken over, and evicts one replica at a
 * time. No Pod is in both budgets, because such a Pod could not be evicted at all. The budgets use `minAvailable`,
 * because `maxUnavailable` requires Pods of an owner with the scale subresource.
 *
 * @param replicas number of instances, including the primary. A single instance has no budget: no other can take over.
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
 */
export function databaseBudgets(
  identity: DatabaseIdentity,
  replicas: number,
): { readonly primary: Budget; readonly replicas: Budget } | undefined {
  if (replicas < 2) return undefined;
  const names = objectNames(identity.name);
  const matchLabels = instanceSelector(identity.name);
  const others = { matchLabels, matchExpressions: [{ key: roleLabel, operator: 'NotIn', values: ['master'] }] };
  return {
    primary: budget(identity, names.primary, 1, { matchLabels: { ...matchLabels, [roleLabel]: 'master' } }),
    replicas: budget(identity, names.own, replicas - 2, others),
  };
}

function budget(
  identity: DatabaseIdentity,
  name: string,
  minAvailable: number,
  selector: NonNullable<Budget['spec']>['selector'],
): Budget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(identity, name),
    spec: { minAvailable, selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  } as Budget;
}
