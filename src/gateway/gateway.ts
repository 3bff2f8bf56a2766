import type { GatewaySpecInput } from '../../imports/index.js';
import type { Manifest } from '../plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';
import { gatewayClassName, gatewayPorts } from './identity.js';

/** Takes the requests of a namespace, and routes of that namespace alone: the short names of two would collide. */
export function gateway(identity: Identity): Manifest & { readonly spec: GatewaySpecInput } {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: metadataOf(identity),
    spec: {
      gatewayClassName,
      // A proxy looks for the entry point of this very port.
      listeners: [
        {
          name: 'http',
          port: gatewayPorts.http,
          protocol: 'HTTP',
          allowedRoutes: { namespaces: { from: 'Same' } },
        },
      ],
    },
  };
}
