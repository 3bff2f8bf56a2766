import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type { Tls } from '../../../../operator/cluster/connection/connection.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';

let server: Server;
let good: Tls;
let other: Tls;
beforeAll(async () => {
  const authority = await CertificateAuthority.create();
  const issued = () => authority.issue({ commonName: 'localhost', hosts: ['localhost'] });
  const [own, one, two] = await Promise.all([issued(), issued(), issued()]);
  server = createServer({ cert: own.certificate, key: own.key }, (_, response) => response.end('{}'));
  await once(server.listen(0, 'localhost'), 'listening');
  const ca = authority.own.certificate;
  good = { ca, cert: one.certificate, key: one.key };
  other = { ca, cert: two.certificate, key: two.key };
});
afterAll(() => void server.close());

let transport: Transport;
afterEach(async () => {
  server.closeAllConnections();
  await transport.close();
});

/** A transport with certificates that the test replaces. */
function given(first: Tls) {
  let tls = first;
  const told: string[] = [];
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const connection = { origin, basePath: '', namespace: 'team', credentials: async () => ({ tls }) };
  transport = new Transport(connection, { unusable: ({ message }) => told.push(message) });
  const ask = (now: Tls) => {
    tls = now;
    return transport.json({ method: 'GET', path: '/x' });
  };
  return { ask, told };
}

const unusable = [
  { what: 'a key without its certificate', tls: () => ({ ...good, key: other.key }) },
  { what: 'half a certificate', tls: () => ({ ...good, cert: good.cert?.slice(0, 500) }) },
  { what: 'half a key', tls: () => ({ ...good, key: good.key?.slice(0, 100) }) },
];
const said = 'the client certificate and its key cannot be used: ';

it.each(unusable)('R3 $what keeps the previous credentials in use and is logged once', async ({ tls }) => {
  const { ask, told } = given(good);
  await ask(good);
  expect([await ask(tls()), await ask(tls())]).toEqual([{}, {}]);
  expect(told).toEqual([expect.stringContaining(said)]);
  expect([await ask(other), await ask(good)]).toEqual([{}, {}]);
});

it.each(unusable)('R3 $what at the start is reported and read again', async ({ tls }) => {
  const { ask } = given(good);
  const message = expect.stringContaining(`GET /x: no answer: ${said}`);
  await expect(ask(tls())).rejects.toMatchObject({ code: 0, reason: 'NoAnswer', message });
  expect(await ask(good)).toEqual({});
});

it.each(['proxy.corp:3128', 'me:hunter2@proxy'])(
  'R3 a proxy that makes no sense, as %s, is named as what is wrong, and not quoted',
  async (proxy) => {
    const connection = { origin: 'https://localhost', basePath: '', namespace: 'team', proxy };
    transport = new Transport({ ...connection, credentials: async () => ({ tls: {} }) });
    const message = await transport.json({ method: 'GET', path: '/x' }).catch((error: Error) => error.message);
    expect(message).toMatch(/^GET \/x: no answer: the proxy cannot be used: .* set proxy-url of the cluster to http:/);
    expect(message).not.toContain('hunter2');
  },
);
