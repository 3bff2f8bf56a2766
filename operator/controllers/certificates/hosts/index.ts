import type { Construct } from 'constructs';
import { certificateKind, gatewayKind } from '../../../../imports/index.js';
import { HostCertificate } from '../../../../src/index.js';
import { defineController, Ingress, type LiveObject, type ObjectKind, optional } from '../../../runtime/index.js';
import { gatewayHosts, ingressHosts, issuerIn, type LiveIngress, type SecretHosts } from './hosts.js';

/** Creates Certificates for the TLS hosts of annotated Ingresses. It does not write their status. */
export const ingressHost = defineController({
  kind: Ingress as ObjectKind<LiveIngress & { readonly spec: object }>,
  name: 'ingress-certificates',
  reportsTo: 'events',
  selects: (resource) => issuerIn(resource) !== undefined,
  owns: [certificateKind],
  conditions: {},
  desire: (scope, { resource }) => render(scope, resource, ingressHosts(resource)),
  assess: () => ({ conditions: {} }),
});

/** Creates Certificates for the TLS listeners of annotated Gateways. It does not write their status. */
export const gatewayHost = defineController({
  kind: optional(gatewayKind),
  name: 'gateway-certificates',
  reportsTo: 'events',
  selects: (resource) => issuerIn(resource) !== undefined,
  owns: [certificateKind],
  conditions: {},
  desire: (scope, { resource }) => render(scope, resource, gatewayHosts(resource)),
  assess: () => ({ conditions: {} }),
});

function render(scope: Construct, resource: LiveObject, hosts: readonly SecretHosts[]): void {
  const issuer = issuerIn(resource);
  const { namespace = '', deletionTimestamp } = resource.metadata;
  if (!issuer || deletionTimestamp !== undefined) return;
  for (const { secretName, dnsNames } of hosts)
    new HostCertificate(scope, `certificate-${secretName}`, { secretName, namespace, dnsNames, issuer });
}
