import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CertificateAuthority, type CertifiedKey } from '../../../../operator/certificates/authority.js';
import { restartSource } from '../../../../operator/engines/postgres/restart-source.js';

const host = 'orders-1.orders-members.shop.svc';
let authority: CertificateAuthority;
let certified: CertifiedKey;
let server: Server;
let asked: string[];
let answer: { readonly status: number; readonly body: string };

/** Like Patroni: every client may read, and a client with the certificate may write. */
beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certified = await authority.issue({ commonName: 'orders', hosts: ['*.orders-members.shop.svc'] });
  const { certificate: cert, key } = certified;
  const ca = authority.own.certificate;
  server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: false }, async (request, response) => {
    const body = await request.toArray();
    asked.push(`${request.method} ${request.url} ${Buffer.concat(body)}`);
    const { status, body: said } = (request.socket as TLSSocket).authorized
      ? answer
      : { status: 403, body: 'who are you' };
    response.writeHead(status).end(said);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked = [];
  answer = { status: 200, body: 'restarted successfully' };
});
afterAll(() => void server.close());

const restart = (changes: object = {}) => {
  const { port } = server.address() as AddressInfo;
  const question = { authority: authority.own.certificate, certified, port, address: '127.0.0.1', host, ...changes };
  return restartSource(question, { signal: new AbortController().signal });
};

test('line 5: a primary restarts if it leads and parameters wait for that', async () => {
  expect(await restart()).toEqual({});
  expect(asked).toEqual(['POST /restart {"role":"master","restart_pending":true}']);
});

test('line 5: that it refuses is an answer, with its reason in one line', async () => {
  answer = { status: 503, body: 'restart conditions\n are not satisfied\n' };
  expect(await restart()).toEqual({ refused: '503 restart conditions are not satisfied' });
  answer = { status: 500, body: '' };
  expect(await restart()).toEqual({ refused: '500' });
});

test('line 5: who shows the certificate of another Database is refused, and one that shows it is not believed', async () => {
  const other = await CertificateAuthority.create();
  const refused = await restart({ certified: await other.issue({ commonName: 'other' }) });
  expect(refused).toEqual({ refused: '403 who are you' });
  asked = [];
  await expect(restart({ authority: other.own.certificate })).rejects.toThrow();
  await expect(restart({ host: 'orders-1.others-members.shop.svc' })).rejects.toThrow();
  expect(asked).toEqual([]);
});

test('R34 an instance that answers without end is not read to the end', async () => {
  answer = { status: 503, body: 'x'.repeat(70_000) };
  await expect(restart()).rejects.toThrow('the response exceeds 65536 bytes');
});
