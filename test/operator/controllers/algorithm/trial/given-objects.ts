import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import type { Loose } from '../../../../given.js';

/** Somebody else's, of the name that an Algorithm `reco` wants. */
export const foreignService: Manifest & { readonly spec: object } = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'reco', namespace: 'team' },
  spec: { selector: { app: 'theirs' } },
};

/** What a gateway says of a route that it took up. @param since RFC 3339 */
export function takenUp({ metadata, spec }: Loose, since: string): object {
  const accepted = {
    ...{ type: 'Accepted', status: 'True', reason: 'Accepted', message: '' },
    observedGeneration: metadata.generation,
    lastTransitionTime: since,
  };
  const [parentRef] = spec.parentRefs;
  return { parents: [{ parentRef, controllerName: 'traefik.io/gateway-controller', conditions: [accepted] }] };
}
