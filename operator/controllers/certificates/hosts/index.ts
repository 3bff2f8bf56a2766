import { certificateKind, gatewayKind } from '../../../../imports/index.js';
import { defineController, Ingress, type ObjectKind, optional } from '../../../runtime/index.js';
import { desire } from './desire.js';
import { gatewayHosts, ingressHosts, issuerIn, type LiveIngress } from './hosts.js';

/** Creates Certificates for the TLS hosts of annotated Ingresses. It does not write their status. */
export const ingressHost = defineController({
  kind: Ingress as ObjectKind<LiveIngress & { readonly spec: object }>,
  name: 'ingress-certificates',
  reportsTo: 'events',
  selects: (resource) => issuerIn(resource) !== undefined,
  owns: [certificateKind],
  conditions: {},
  desire: (scope, { resource }) => desire(scope, resource, ingressHosts(resource)),
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
  desire: (scope, { resource }) => desire(scope, resource, gatewayHosts(resource)),
  assess: () => ({ conditions: {} }),
});
