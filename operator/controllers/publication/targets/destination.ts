import type { ServicePublicationResource } from '../../../../imports/index.js';
import { defined } from '../../../runtime/index.js';
import { zoneName } from '../names/record-names.js';

type Spec = ServicePublicationResource['spec'];
/** A target of a spec. */
export type StatedTarget = Spec['targets'][number];
/** What the status records about a place outside of the cluster. */
export type Claim = NonNullable<NonNullable<ServicePublicationResource['status']>['claims']>[number];

/** A place outside of the cluster where a publication writes. Several targets can be names of one place. */
export type Destination =
  | {
      readonly type: 'dns';
      readonly server: string;
      readonly port: number;
      /** In ASCII. */
      readonly zone: string;
      readonly secret: string;
    }
  | {
      readonly type: 'webhook';
      readonly url: string;
      readonly zone: string;
      readonly caBundle?: string | undefined;
      readonly secret?: string | undefined;
    }
  | { readonly type: 'haproxy'; readonly address: string; readonly backend: string }
  | {
      readonly type: 'etcd';
      readonly endpoints: readonly string[];
      readonly key: string;
      readonly secret?: string | undefined;
    };

/** The place of a target. Undefined for a file, which is an object in the cluster. */
export function destinationOf({ dns, webhook, haproxy, etcd }: StatedTarget): Destination | undefined {
  if (dns) {
    const { server, port, zone, tsigSecretRef } = dns;
    return { type: 'dns', server, port, zone: zoneName(zone), secret: tsigSecretRef.name };
  }
  if (webhook) {
    const { url, zone, caBundle, tokenSecretRef } = webhook;
    return { type: 'webhook', url, zone: zoneName(zone), caBundle, secret: tokenSecretRef?.name };
  }
  if (haproxy) return { type: 'haproxy', address: haproxy.address, backend: haproxy.backend };
  return etcd && { type: 'etcd', endpoints: etcd.endpoints, key: etcd.key, secret: etcd.secretRef?.name };
}

/** The place that the status records. Undefined if a field is missing. */
export function claimedDestination(claim: Claim): Destination | undefined {
  const { type, server, port = 53, zone, url, caBundle, address, backend, endpoints, key, secret } = claim;
  if (type === 'dns' && server !== undefined && zone !== undefined && secret !== undefined)
    return { type, server, port, zone, secret };
  if (type === 'webhook' && url !== undefined && zone !== undefined) return { type, url, zone, caBundle, secret };
  if (type === 'haproxy' && address !== undefined && backend !== undefined) return { type, address, backend };
  return type === 'etcd' && endpoints && key !== undefined ? { type, endpoints, key, secret } : undefined;
}

/** Identifies a place. Other credentials lead to the same place. */
export function placeOf(destination: Destination): string {
  switch (destination.type) {
    case 'dns':
      return `dns ${destination.server.toLowerCase()}:${destination.port} ${destination.zone}`;
    case 'webhook':
      return `webhook ${destination.url} ${destination.zone}`;
    case 'haproxy':
      return `haproxy ${destination.address.toLowerCase()} ${destination.backend}`;
    default:
      return `etcd ${destination.endpoints.toSorted().join(' ')} ${destination.key}`;
  }
}

/** A place for people. @param names in the place, if it is a zone */
export function whereOf(destination: Destination, names: readonly string[] = []): string {
  const shown = names.length > 2 ? `${names[0]} and ${names.length - 1} more names` : names.join(' and ');
  switch (destination.type) {
    case 'dns':
      return `${shown || destination.zone} at ${destination.server}`;
    case 'webhook':
      return `${shown || destination.zone} at ${destination.url}`;
    case 'haproxy':
      return `backend ${destination.backend} at ${destination.address}`;
    default:
      return `${destination.key} at ${destination.endpoints[0]}`;
  }
}

/** Whether a text names a place. Each name in a zone stands for the zone at its server. */
export function isPlace(text: string, destination: Destination, names?: readonly string[]): boolean {
  if (text === whereOf(destination, names)) return true;
  if (destination.type !== 'dns' && destination.type !== 'webhook') return false;
  const { zone } = destination;
  const [, name = ''] = /^(\S+) (?:and .*)?at /.exec(text) ?? [];
  return (
    text.endsWith(` ${whereOf(destination).slice(zone.length + 1)}`) && (name === zone || name.endsWith(`.${zone}`))
  );
}

/** The fields of a claim. */
export function claimFields(destination: Destination): Omit<Claim, 'names' | 'draining'> {
  const { type, ...fields } = destination;
  return { type, ...defined(fields) };
}
