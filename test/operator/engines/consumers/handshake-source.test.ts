import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { type ServedPort, servedPortState } from '../../../../operator/consumers/handshakes.js';
import { handshakesFrom, hostHandshakesSource } from '../../../../operator/engines/consumers/handshake-source.js';
import { type ObjectKind, Service } from '../../../../operator/runtime/index.js';
import type { Source } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';

const namespace = 'shop';
const slices: ObjectKind = {
  ...{ group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true },
};
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listening(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as { readonly port: number }).port;
}

async function served(name: string) {
  const { certificate, key } = await (await CertificateAuthority.create(1)).issue({ commonName: name, hosts: [name] });
  const fingerprint = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
  return { cert: certificate, key, fingerprint };
}

/** A Service `web` with the port 443, and one slice for each port behind it. */
async function given(...backends: readonly { readonly port: number; readonly ready?: boolean }[]) {
  const memory = new MemoryCluster();
  const manager = { manager: 'somebody' };
  const ports = [{ name: 'https', port: 443 }];
  await memory.create(
    Service,
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace }, spec: { ports } } as never,
    manager,
  );
  for (const [at, { port, ready }] of backends.entries()) {
    const metadata = { name: `web-${at}`, namespace, labels: { 'kubernetes.io/service-name': 'web' } };
    const endpoints = [{ addresses: ['127.0.0.1'], conditions: ready === undefined ? {} : { ready } }];
    const named = [
      { name: 'https', port },
      { name: 'metrics', port: 1 },
    ];
    await memory.create(
      slices,
      { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, endpoints, ports: named } as never,
      manager,
    );
  }
  const ask = handshakesFrom(memory).source as unknown as Source<unknown, { readonly ports: readonly ServedPort[] }>;
  return (port = 443, serverName?: string) =>
    ask(
      { namespace, ports: [{ service: 'web', port }], ...(serverName && { serverName }) },
      { signal: AbortSignal.timeout(120_000) },
    );
}

describe('line 8: the certificates that a Service serves', () => {
  it('are those of each ready endpoint', async () => {
    const [one, other] = [await served('one'), await served('other')];
    const [first, second] = [await listening(createServer(one)), await listening(createServer(other))];
    const ask = await given({ port: first, ready: true }, { port: second }, { port: 1, ready: false });
    const { ports } = await ask();
    expect(ports).toEqual([
      {
        ...{ service: 'web', port: 443, exists: true },
        endpoints: {
          [`127.0.0.1:${first}`]: { fingerprint: one.fingerprint },
          [`127.0.0.1:${second}`]: { fingerprint: other.fingerprint },
        },
      },
    ]);
  });

  it('depend on the name that the client asks for', async () => {
    const [one, other] = [await served('one'), await served('other')];
    const server = createServer(one);
    server.addContext('other', other);
    const ask = await given({ port: await listening(server) });
    const fingerprints = async (name?: string) => Object.values((await ask(443, name)).ports[0]?.endpoints ?? {});
    expect(await fingerprints()).toEqual([{ fingerprint: one.fingerprint }]);
    expect(await fingerprints('other')).toEqual([{ fingerprint: other.fingerprint }]);
  });

  it('are unknown where no handshake succeeds, and the others are known', async () => {
    const one = await served('one');
    const closing = createTcpServer((socket) => socket.destroy());
    const [tls, plain] = [await listening(createServer(one)), await listening(closing)];
    const ask = await given({ port: tls }, { port: plain });
    const [port] = (await ask()).ports;
    expect(port?.endpoints[`127.0.0.1:${tls}`]).toEqual({ fingerprint: one.fingerprint });
    expect(port?.endpoints[`127.0.0.1:${plain}`]).toHaveProperty('why');
  });

  it('do not exist for a port that the Service lacks', async () => {
    const ask = await given();
    expect((await ask(8443)).ports).toEqual([{ service: 'web', port: 8443, exists: false, endpoints: {} }]);
  });
});

it('endpoints that a controller knows are asked without the API server, and one that is silent takes nothing from the others', async () => {
  const one = await served('localhost');
  const [tls, plain] = [
    await listening(createServer(one)),
    await listening(createTcpServer((socket) => socket.destroy())),
  ];
  const ask = hostHandshakesSource.source as Source<object, object>;
  const endpoints = [tls, plain].map((port) => ({ host: 'localhost', port }));
  expect(await ask({ endpoints }, { signal: AbortSignal.timeout(120_000) })).toEqual({
    [`localhost:${tls}`]: { fingerprint: one.fingerprint },
    [`localhost:${plain}`]: { why: expect.any(String) },
  });
});

describe('line 8: the state of a port', () => {
  const port = (endpoints: ServedPort['endpoints'], exists = true) => ({
    service: 'web',
    port: 443,
    exists,
    endpoints,
  });
  const [good, bad] = [{ fingerprint: 'new' }, { fingerprint: 'old' }];
  it.each<{ phase: string; of: ServedPort; why?: string }>([
    { phase: 'Missing', of: port({}, false) },
    { phase: 'RollingOut', of: port({}), why: 'Service web has no ready endpoint for port 443' },
    { phase: 'Current', of: port({ a: good, b: good }) },
    {
      phase: 'RollingOut',
      of: port({ a: good, b: bad }),
      why: 'b of Service web serves another certificate on port 443',
    },
    { phase: 'RollingOut', of: port({ a: good, b: { why: 'refused' } }), why: 'b of Service web: refused' },
  ])('is $phase: $why', ({ phase, of, why }) => {
    expect(servedPortState(of, 'new')).toEqual({ phase, ...(why && { why }) });
  });
});
