import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';

/** The class of the proxies that the operator runs, as an installation makes it. */
export const gatewayClass = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'reconstruct' },
  spec: { controllerName: 'traefik.io/gateway-controller' },
} as Manifest;
