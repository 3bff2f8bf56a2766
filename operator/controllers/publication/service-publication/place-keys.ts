import type { ServicePublicationResource } from '../../../../imports/index.js';
import { absoluteName, InvalidNameError } from '../names/record-names.js';
import type { StatedTarget } from '../targets/destination.js';

type Stated = Pick<ServicePublicationResource, 'metadata' | 'spec'>;

/** The places that the spec of a publication names. Two publications must not have one in common. */
export function placeKeys({ metadata, spec }: Stated): readonly string[] {
  return spec.targets.flatMap((target) => keysOfTarget(target, metadata.namespace ?? ''));
}

/** The places that one target names. None, if its names follow from a Gateway: then the server decides. */
export function keysOfTarget(
  { dns, webhook, file, haproxy, etcd }: StatedTarget,
  namespace: string,
): readonly string[] {
  if (dns) return nameKeys(`dns ${dns.server.toLowerCase()}:${dns.port}`, dns);
  if (webhook) return nameKeys(`webhook ${webhook.url}`, webhook);
  if (file) return [`file ${namespace}/${file.configMap}`];
  if (haproxy) return [`haproxy ${haproxy.address.toLowerCase()} ${haproxy.backend}`];
  return (etcd?.endpoints ?? []).map((endpoint) => `etcd ${endpoint} ${etcd?.key}`);
}

function nameKeys(at: string, { zone, name }: { readonly zone: string; readonly name?: string }): readonly string[] {
  if (name === undefined) return [];
  try {
    return [`${at} ${absoluteName(name, zone)}`];
  } catch (error) {
    if (error instanceof InvalidNameError) return [];
    throw error;
  }
}
