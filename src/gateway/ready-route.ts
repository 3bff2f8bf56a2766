import type { HTTPRouteSpecInput } from '../../imports/index.js';
import type { Manifest } from '../manifest/plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';

/** The host name for the check whether a proxy has read its routes. No real host has a name under `invalid`. */
export const readyHost = 'ready.reconstruct.invalid';

/**
 * A route that the proxies answer themselves. A proxy answers 404 after its start until it has read the routes. It
 * reads all routes at once, so a proxy that answers this route also has the others.
 */
export function readyRoute(identity: Identity): Manifest & { readonly spec: HTTPRouteSpecInput } {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: metadataOf(identity),
    spec: {
      parentRefs: [{ name: identity.name }],
      hostnames: [readyHost],
      rules: [{ backendRefs: [{ group: 'traefik.io', kind: 'TraefikService', name: 'ping@internal' }] }],
    },
  };
}
