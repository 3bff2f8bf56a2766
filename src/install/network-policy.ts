import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import { type Installation, operatorPorts } from './installation.js';

const openPorts: readonly Plain<k8s.NetworkPolicyPort>[] = [
  { port: operatorPorts.metrics, protocol: 'TCP' },
  // Some network plug-ins hold the kubelet's probes to the policy as well.
  { port: operatorPorts.health, protocol: 'TCP' },
];

/**
 * Closes every port of the operator's pods but two. What they may reach stays open: a policy names pods and address
 * blocks, and the API server is no pod, its address and port differ from cluster to cluster, and a wrong guess stops
 * the operator. Whether any of it holds is up to the cluster's network plug-in.
 */
export function networkPolicy(installation: Installation): ManifestOf<k8s.KubeNetworkPolicyProps> {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(installation),
    spec: {
      podSelector: { matchLabels: installation.labels },
      policyTypes: ['Ingress'],
      ingress: [{ ports: openPorts }],
    },
  };
}
