import type { GatewayClassSpec } from '../../imports/index.js';
import type { Manifest } from '../manifest/plain.js';
import type { Identity } from '../workload/identity.js';
import { gatewayClassName } from './identity.js';

/** The class of the Gateways that the proxies of this package serve. */
export function gatewayClass(labels: Identity['labels']): Manifest & { readonly spec: GatewayClassSpec } {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: gatewayClassName, labels },
    spec: { controllerName: 'traefik.io/gateway-controller' },
  };
}
