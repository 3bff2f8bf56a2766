import type { KafkaClusterSpec } from '../../../imports/index.js';

type Listener = KafkaClusterSpec['listeners'][number];
type External = NonNullable<Listener['external']>;

/** A listener for clients in other networks. */
export type ExternalListener = Listener & { readonly external: External };

/** The parts of a live Service from which the address of a broker follows. */
export interface AddressedService {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly nodePort?: number }[] };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[] };
  };
}

/** The listeners for clients in other networks. */
export function externalListeners({ listeners }: Pick<KafkaClusterSpec, 'listeners'>): readonly ExternalListener[] {
  return listeners.filter((one): one is ExternalListener => one.external !== undefined);
}

/** The names of the Services and TLSRoutes of a listener. No other object of a KafkaCluster has such a name. */
export function externalNames(cluster: string, listener: string) {
  return {
    bootstrap: `${cluster}-${listener}-external`,
    broker: (id: number) => `${cluster}-${listener}-${id}`,
  } as const;
}

/** The DNS name of a broker, or of all if `id` is undefined. Undefined for an address that is assigned to a Service. */
export function externalHost({ type, host }: External, id: number | undefined): string | undefined {
  return type === 'NodePort' || id === undefined || host === undefined ? host : `broker-${id}.${host}`;
}

/**
 * The address of a broker as `HOST:PORT`, or of all if `id` is undefined. Undefined while the API server or the load
 * balancer has not assigned it.
 */
export function externalAddress(
  { name, port, external }: ExternalListener,
  id: number | undefined,
  service: AddressedService | undefined,
): string | undefined {
  const host = externalHost(external, id) ?? assignedHost(service);
  const at = {
    LoadBalancer: port,
    NodePort: service?.spec?.ports?.find((one) => one.name === name)?.nodePort,
    TlsRoute: external.gateway?.port,
  }[external.type];
  if (host === undefined || at === undefined) return undefined;
  return host.includes(':') ? `[${host}]:${at}` : `${host}:${at}`;
}

/** The address that a load balancer has. */
export function assignedHost(service: AddressedService | undefined): string | undefined {
  const [first] = service?.status?.loadBalancer?.ingress ?? [];
  return first?.hostname ?? first?.ip;
}

/** The names and addresses that the certificate of a listener needs. @param assigned addresses of load balancers */
export function externalHosts({ external }: ExternalListener, assigned: readonly string[]) {
  const { type, host } = external;
  const all = host === undefined ? assigned : type === 'NodePort' ? [host] : [host, `*.${host}`];
  const isAddress = (one: string) => /^[0-9.]+$/.test(one) || one.includes(':');
  return { dnsNames: all.filter((one) => !isAddress(one)), ipAddresses: all.filter(isAddress) };
}
