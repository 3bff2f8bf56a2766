import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../../plain.js';
import { metadataOf } from '../../workload/identity.js';
import { roleLabel } from '../config/patroni-config.js';
import { type DatabaseIdentity, instanceSelector } from '../identity.js';
import { objectNames } from '../object-names.js';

type Budget = ManifestOf<k8s.KubePodDisruptionBudgetProps>;

/**
 * Keeps a drain from the primary until another instance has its place, and lets it take one replica at a time. No Pod is in
 * both: one that is could not be evicted at all. They count Pods that must stay, since those that may go are counted for
 * Pods of a scalable owner alone.
 *
 * @param replicas instances, the primary included. Of one alone there is nobody to take its place, so no budget either.
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
