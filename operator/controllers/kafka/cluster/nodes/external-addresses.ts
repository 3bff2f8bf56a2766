import type { KafkaClusterResource } from '../../../../../imports/index.js';
import {
  type AddressedService,
  assignedHost,
  type ExternalListener,
  externalAddress,
  externalListeners,
  externalNames,
  listenerCertificateName,
} from '../../../../../src/index.js';
import { kafkaCertificateHosts } from '../../../../../src/kafka/naming/object-names.js';
import type { LiveObject } from '../../../../runtime/index.js';

/** Annotation of the Pod of a broker: the addresses for clients in other networks with which it was created. */
export const advertisedAnnotation = 'reconstruct.dev/advertised';

/** The observed objects from which addresses for clients in other networks are derived. */
export interface SeenServices {
  readonly resource: KafkaClusterResource;
  readonly services: readonly (AddressedService & Pick<LiveObject, 'metadata'>)[];
}

/** The names in a Certificate. */
export interface NamedCertificate extends Pick<LiveObject, 'metadata'> {
  readonly spec?: { readonly dnsNames?: readonly string[]; readonly ipAddresses?: readonly string[] };
}

/** The addresses of one broker for clients in other networks. */
export interface Advertised {
  /** `HOST:PORT` by listener. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Why a listener has no address yet. Undefined if each has one. */
  readonly awaits?: string;
}

/** The addresses that a broker should advertise. */
export function advertisedBy(id: number, seen: SeenServices): Advertised {
  const { metadata, spec } = seen.resource;
  const addresses: Record<string, string> = {};
  let awaits: string | undefined;
  for (const listener of externalListeners(spec)) {
    const service = externalNames(metadata.name, listener.name).broker(id);
    const address = externalAddress(listener, id, serviceNamed(service, seen));
    if (address !== undefined) addresses[listener.name] = address;
    else awaits ??= `Service ${service} of listener ${listener.name} has no ${missingPart(listener)} yet`;
  }
  return { addresses, ...(awaits !== undefined && { awaits }) };
}

function missingPart({ external: { type } }: ExternalListener): string {
  return type === 'NodePort' ? 'node port' : 'address of a load balancer';
}

function serviceNamed(name: string, { services }: SeenServices) {
  return services.find(({ metadata }) => metadata.name === name);
}

/** Addresses as the value of an annotation. */
export function advertisedText(addresses: Advertised['addresses']): string {
  return Object.entries(addresses)
    .map(([listener, address]) => `${listener}=${address}`)
    .toSorted()
    .join(',');
}

/** Where clients of a listener for other networks begin. Undefined while it is not assigned. */
export function externalBootstrap(listener: ExternalListener, seen: SeenServices): string | undefined {
  const { bootstrap } = externalNames(seen.resource.metadata.name, listener.name);
  return externalAddress(listener, undefined, serviceNamed(bootstrap, seen));
}

/**
 * Addresses of load balancers, by listener, for the certificates. While none is known, those that the certificate has: without
 * a name it would be deleted, and its key with it.
 */
export function assignedAddresses(
  seen: SeenServices & { readonly certificates: readonly NamedCertificate[] },
): Readonly<Record<string, readonly string[]>> {
  const { metadata, spec } = seen.resource;
  return Object.fromEntries(
    externalListeners(spec).map((listener) => {
      const { bootstrap, broker } = externalNames(metadata.name, listener.name);
      const isOfListener = (name: string) => name === bootstrap || name === broker(Number(name.split('-').at(-1)));
      const own = seen.services.filter((service) => isOfListener(service.metadata.name));
      const found = own.flatMap((service) => assignedHost(service) ?? []);
      return [listener.name, found.length > 0 ? [...new Set(found)].toSorted() : certifiedAddresses(listener, seen)];
    }),
  );
}

function certifiedAddresses(
  { name }: ExternalListener,
  { resource, certificates }: Pick<SeenServices, 'resource'> & { readonly certificates: readonly NamedCertificate[] },
): readonly string[] {
  const { metadata } = resource;
  const own = listenerCertificateName(metadata.name, name);
  const { dnsNames = [], ipAddresses = [] } = certificates.find((one) => one.metadata.name === own)?.spec ?? {};
  const internal = kafkaCertificateHosts({ name: metadata.name, namespace: metadata.namespace ?? '' });
  return [...dnsNames, ...ipAddresses].filter((one) => !internal.includes(one)).toSorted();
}
