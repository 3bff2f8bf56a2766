import type { HTTPRouteSpecInput } from '../../imports/index.js';
import type { Manifest } from '../plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';

/** The host name by which a proxy is asked whether it knows its routes. Nobody can have a name under `invalid`. */
export const readyHost = 'ready.reconstruct.invalid';

/**
 * A route that the proxies answer themselves. One that has just started answers 404 until it has read the routes, and
 * reads all of them at once: when it answers this one, it knows the others.
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
