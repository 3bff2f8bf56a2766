import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { type Installation, operatorPorts } from './installation.js';

const openPorts: readonly Plain<k8s.NetworkPolicyPort>[] = [
  { port: operatorPorts.metrics, protocol: 'TCP' },
  // Some network plug-ins also apply the policy to the probes of the kubelet.
  { port: operatorPorts.health, protocol: 'TCP' },
];

/** Gateways and Ingress controllers are in any namespace. The operator listens only if it allows an ACME server. */
const challengePort: Plain<k8s.NetworkPolicyPort> = { port: operatorPorts.acme, protocol: 'TCP' };

/**
 * Closes all ports of the operator Pods except two, and the one for HTTP-01 challenges if a controller answers them. Egress stays open: a policy selects Pods and address blocks, but
 * the API server is not a Pod, its address and port differ between clusters, and a wrong guess would stop the operator.
 * The network plug-in of the cluster must support policies.
 */
export function networkPolicy(
  installation: Installation,
  { answersChallenges }: { readonly answersChallenges: boolean },
): ManifestOf<k8s.KubeNetworkPolicyProps> {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(installation),
    spec: {
      podSelector: { matchLabels: installation.labels },
      policyTypes: ['Ingress'],
      ingress: [{ ports: answersChallenges ? [...openPorts, challengePort] : openPorts }],
    },
  };
}
