import type { KafkaClusterSpec } from '../../../imports/index.js';
import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type KafkaIdentity, kafkaGroups, kafkaSelector } from '../naming/identity.js';
import { kafkaObjectNames, kafkaPorts } from '../naming/object-names.js';

/** How many nodes of a role exist. While a cluster shrinks, these are more than the spec has. */
export type ExistingNodes = Readonly<Record<'broker' | 'controller', number>>;

/**
 * Budgets with which a drain evicts one broker and one controller at a time. They use `minAvailable`, because
 * `maxUnavailable` requires Pods of an owner with the scale subresource. A single node has no budget.
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
 */
export function kafkaBudgets(
  identity: KafkaIdentity,
  spec: KafkaClusterSpec,
  existing: ExistingNodes = { broker: 0, controller: 0 },
): readonly Manifest[] {
  const names = kafkaObjectNames(identity.name);
  return (['broker', 'controller'] as const).flatMap((role) => {
    const wanted = kafkaGroups(spec)
      .filter((group) => group.role === role)
      .reduce((sum, group) => sum + group.replicas, 0);
    const replicas = Math.max(wanted, existing[role]);
    if (replicas < 2) return [];
    return [
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: metadataOf(identity, role === 'broker' ? names.brokers : names.controllers),
        spec: {
          minAvailable: replicas - 1,
          selector: { matchLabels: kafkaSelector(identity.name, { role }) },
          unhealthyPodEvictionPolicy: 'AlwaysAllow',
        },
      },
    ];
  });
}

/**
 * Opens the ports of the nodes to each other and to the operator, and those of clients to all. The network plug-in of the
 * cluster must support policies.
 */
export function kafkaNetworkPolicy(
  identity: KafkaIdentity,
  { listeners }: KafkaClusterSpec,
): Manifest & { readonly spec: object } {
  const port = (number: number) => ({ port: number, protocol: 'TCP' });
  const operator = { namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'reconstruct' } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(identity),
    spec: {
      podSelector: { matchLabels: kafkaSelector(identity.name) },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: kafkaSelector(identity.name) } }, operator],
          ports: [port(kafkaPorts.controller), port(kafkaPorts.replication)],
        },
        { ports: [...listeners.map((listener) => port(listener.port)), port(kafkaPorts.metrics)] },
      ],
    },
  };
}
