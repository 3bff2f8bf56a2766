import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import {
  type HandshakesAnswer,
  type HandshakesQuestion,
  handshakes,
  hostHandshakes,
  type Presented,
  type ServedPort,
} from '../../consumers/handshakes.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { type ObjectKind, Service } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import { allPages } from '../../runtime/ports/all-pages.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** Milliseconds for one endpoint: below the timeout of the poll, so that a lost endpoint does not fail it. */
const patience = 3_000;

interface LiveService extends LiveObject {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

interface LiveEndpointSlice extends LiveObject {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

const EndpointSlice: ObjectKind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

type Access = Pick<Cluster, 'read' | 'list'>;

/** Shakes hands with each ready endpoint of the ports. */
export function handshakesFrom(cluster: Access): Provided {
  return provided(handshakes, (question, { signal }) => answerOf(question, cluster, signal));
}

/** Shakes hands with each endpoint. One that does not answer takes nothing from the others. */
export const hostHandshakesSource: Provided = provided(hostHandshakes, async ({ endpoints }, { signal }) => {
  const told = endpoints.map(async ({ host, port }) => {
    const shown = `${host}:${port}`;
    return [shown, await fingerprintOf({ host, port, shown }, isIP(host) ? undefined : host, signal)] as const;
  });
  return Object.fromEntries(await Promise.all(told));
});

async function answerOf(
  { namespace, ports, serverName }: HandshakesQuestion,
  cluster: Access,
  signal: AbortSignal,
): Promise<HandshakesAnswer> {
  const served = ports.map(async ({ service, port }): Promise<ServedPort> => {
    const live = (await cluster.read(Service, { namespace, name: service }, { signal })) as LiveService | undefined;
    const own = live?.spec?.ports?.find((one) => one.port === port);
    if (!own) return { service, port, exists: false, endpoints: {} };
    const labelSelector = `kubernetes.io/service-name=${service}`;
    const addresses: Address[] = [];
    for await (const { items } of allPages({ cluster, kind: EndpointSlice }, { namespace, labelSelector, signal }))
      addresses.push(...(items as readonly LiveEndpointSlice[]).flatMap((slice) => addressesIn(slice, own.name)));
    const told = addresses.map(async (address) => {
      return [address.shown, await fingerprintOf(address, serverName, signal)] as const;
    });
    const endpoints = Object.fromEntries((await Promise.all(told)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { service, port, exists: true, endpoints };
  });
  return { ports: await Promise.all(served) };
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly shown: string;
}

/** A slice without conditions is ready, as for kube-proxy. Its ports have the names of the ports of the Service. */
function addressesIn({ ports = [], endpoints = [] }: LiveEndpointSlice, name = ''): readonly Address[] {
  const port = ports.find((one) => (one.name ?? '') === name)?.port;
  if (port === undefined) return [];
  return endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses = [] }) =>
      addresses.map((host) => ({ host, port, shown: `${isIP(host) === 6 ? `[${host}]` : host}:${port}` })),
    );
}

/** The fingerprint of the certificate that a server presents. Whether it is trusted does not matter here. */
function fingerprintOf({ host, port }: Address, serverName: string | undefined, signal: AbortSignal) {
  return new Promise<Presented>((resolve) => {
    const named = serverName === undefined || isIP(serverName) !== 0 ? {} : { servername: serverName };
    const socket = connect({ host, port, rejectUnauthorized: false, ...named });
    const end = (result: Presented) => {
      signal.removeEventListener('abort', stop);
      socket.destroy();
      resolve(result);
    };
    const stop = () => end({ why: 'the check was stopped' });
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(patience, () => end({ why: `no handshake within ${patience / 1000} s` }));
    socket.on('error', (error) => end({ why: messageOf(error) }));
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      end({ fingerprint: createHash('sha256').update(raw).digest('hex') });
    });
  });
}
