import type { PolicyRule } from '../runtime/kubernetes/kinds.js';
import type { Port } from '../runtime/ports/external-port.js';
import type { ConsumerState } from './consumer-state.js';

/** Ports of Services that serve TLS. */
export interface HandshakesQuestion {
  readonly namespace: string;
  readonly ports: readonly { readonly service: string; readonly port: number }[];
  /** The host name that the client asks for, by which a server selects its certificate. @default - none */
  readonly serverName?: string;
}

/** The certificates that the ports serve, in the order of the question. */
export interface HandshakesAnswer {
  readonly ports: readonly ServedPort[];
}

/** What the ready endpoints of a port serve. */
export interface ServedPort {
  readonly service: string;
  readonly port: number;
  /** False if the Service or its port does not exist. */
  readonly exists: boolean;
  /** By address. An endpoint that does not shake hands has the cause. */
  readonly endpoints: Readonly<Record<string, Presented>>;
}

/** The certificate that an endpoint presents: SHA-256 in hexadecimal digits, or why there is none. */
export type Presented = { readonly fingerprint: string } | { readonly why: string };

/** Endpoints that serve TLS, by host name or address. */
export interface HostHandshakesQuestion {
  readonly endpoints: readonly { readonly host: string; readonly port: number }[];
}

/** The certificates that the endpoints present, by `HOST:PORT`. */
export type HostHandshakesAnswer = Readonly<Record<string, Presented>>;

/** The certificates that endpoints present which a controller knows itself. Nothing is sent after the handshake. */
export const hostHandshakes: Port<HostHandshakesQuestion, HostHandshakesAnswer> = {
  name: 'reconstruct/host-handshakes',
};

const rbacRules: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['services'], verbs: ['get'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
];

/** The certificates that the ready endpoints of Services serve. Nothing is sent after the handshake. */
export const handshakes: Port<HandshakesQuestion, HandshakesAnswer> = { name: 'reconstruct/handshakes', rbacRules };

/**
 * The state of a port: current if every ready endpoint serves the certificate.
 * @param fingerprint SHA-256 of the certificate, in hexadecimal digits
 */
export function servedPortState({ service, port, exists, endpoints }: ServedPort, fingerprint: string): ConsumerState {
  if (!exists) return { phase: 'Missing' };
  const all = Object.entries(endpoints);
  if (all.length === 0)
    return { phase: 'RollingOut', why: `Service ${service} has no ready endpoint for port ${port}` };
  const [silent] = all.flatMap(([address, one]) =>
    'why' in one ? [`${address} of Service ${service}: ${one.why}`] : [],
  );
  if (silent !== undefined) return { phase: 'RollingOut', why: silent };
  const [earlier] = all.filter(([, one]) => 'fingerprint' in one && one.fingerprint !== fingerprint);
  if (!earlier) return { phase: 'Current' };
  return { phase: 'RollingOut', why: `${earlier[0]} of Service ${service} serves another certificate on port ${port}` };
}
