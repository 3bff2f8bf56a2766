import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type EtcdIdentity, etcdSelector } from '../naming/identity.js';
import { etcdPorts } from '../naming/object-names.js';

type WithSpec = Manifest & { readonly spec: object };

/**
 * The budget with which a drain evicts one member at a time. It uses `minAvailable`, because `maxUnavailable` requires Pods
 * of an owner with the scale subresource.
 * @param members voting members of the cluster
 * @returns undefined for one member: no other could serve meanwhile
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
 */
export function etcdBudget(identity: EtcdIdentity, members: number): WithSpec | undefined {
  if (members < 2) return undefined;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(identity),
    spec: {
      minAvailable: members - 1,
      selector: { matchLabels: etcdSelector(identity.name) },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}

/**
 * Opens the port of members to each other, and the ports for clients and for metrics to all. Clients need a certificate. The
 * network plug-in of the cluster must support policies.
 */
export function etcdNetworkPolicy(identity: EtcdIdentity): WithSpec {
  const port = (number: number) => ({ port: number, protocol: 'TCP' });
  const podSelector = { matchLabels: etcdSelector(identity.name) };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(identity),
    spec: {
      podSelector,
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ podSelector }], ports: [port(etcdPorts.peer)] },
        { ports: [port(etcdPorts.client), port(etcdPorts.metrics)] },
      ],
    },
  };
}
