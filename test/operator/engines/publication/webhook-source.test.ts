import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  WebhookAnswer,
  WebhookQuestion,
  WebhookRequest,
} from '../../../../operator/controllers/publication/ports/webhook.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { webhookSource } from '../../../../operator/engines/publication/webhook/webhook-source.js';
import type { Perform, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { FakeClock } from '../../fake-clock.js';
import { webhookContract } from './webhook.contract.js';
import { WebhookServer } from './webhook-server.js';

const started: WebhookServer[] = [];
const start = async () => {
  const server = await WebhookServer.start();
  started.push(server);
  return server;
};
afterEach(() => {
  for (const server of started.splice(0)) server.stop();
});

const everywhere = { lookupFor: () => lookup as LookupFunction };
const { signal } = new AbortController();
const endpoint = { dnsName: 'a.example.com', recordType: 'A', targets: ['192.0.2.1'], recordTTL: 60 };

describe('a server of the protocol', async () => {
  const server = await WebhookServer.start();
  afterAll(() => server.stop());
  webhookContract(async () => {
    server.endpoints = [];
    return { url: server.url, provided: webhookSource({ clock: new FakeClock(), addresses: everywhere }) };
  });
});

describe('the source of webhooks', () => {
  let server: WebhookServer;
  let clock: FakeClock;
  let provided: ReturnType<typeof webhookSource>;
  beforeEach(async () => {
    server = await start();
    clock = new FakeClock();
    provided = webhookSource({ clock, addresses: everywhere });
  });
  const ask = (secret?: SecretData, wanted: WebhookQuestion['wanted'] = []) => {
    const source = provided.source as unknown as Source<WebhookQuestion, WebhookAnswer>;
    return source({ url: server.url, names: ['a.example.com'], wanted }, { signal, ...(secret && { secret }) });
  };
  const send = (request: Omit<WebhookRequest, 'url'>, secret?: SecretData) => {
    const perform = provided.performer?.perform as Perform<WebhookRequest>;
    return perform({ url: server.url, ...request }, { signal, mayLeave: () => {}, ...(secret && { secret }) });
  };

  test('reads an endpoint without targets as one with none', async () => {
    const { targets: _, ...empty } = endpoint;
    const list = { status: 200, text: JSON.stringify([empty]) };
    server.faults = { answer: (path) => (path === '/records' ? list : undefined) };
    expect((await ask()).endpoints).toEqual([{ ...empty, targets: [] }]);
  });

  test('asks once for many questions of one second, and anew for the next one and after a change', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(server.received).toEqual(['GET /', 'GET /records']);
    await clock.advance(999);
    await ask();
    expect(server.received).toHaveLength(2);
    await send({ create: [endpoint] });
    expect((await ask()).endpoints).toEqual([endpoint]);
    expect(server.received.slice(2)).toEqual(['POST /records', 'GET /', 'GET /records']);
    await clock.advance(1_000);
    await ask();
    expect(server.received.slice(5)).toEqual(['GET /', 'GET /records']);
  });

  test('gives no answer of one token to a question with another', async () => {
    server.faults = { token: 'right' };
    await ask({ token: 'right' });
    await expect(ask({ token: 'other' })).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(ask()).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('repeats no token that a server repeats', async () => {
    server.faults = { token: 'right' };
    for (const failed of [ask({ token: 's3cret' }), send({ create: [endpoint] }, { token: 's3cret' })])
      await expect(failed).rejects.toMatchObject({
        kind: 'unauthorized',
        message: expect.stringMatching(/no: Bearer …$/),
      });
  });

  test('asks again at once after a failure', async () => {
    server.faults = { answer: () => ({ status: 500, text: 'the cloud is away' }) };
    await expect(ask()).rejects.toMatchObject({
      kind: 'retryable',
      message: expect.stringMatching(/answered 500: the cloud is away$/),
    });
    server.faults = {};
    expect((await ask()).endpoints).toEqual([]);
  });

  test.each([
    { path: '/', text: '{}', says: 'with the media type ""' },
    { path: '/records', text: '{"a":1}', says: 'with something else than a list of endpoints' },
    { path: '/records', text: '[{"dnsName":1}]', says: 'with something else than a list of endpoints' },
    { path: '/records', text: '<html>', says: 'with text that is not JSON' },
    { path: '/adjustendpoints', text: '[1]', says: 'with something else than a list of endpoints' },
  ])('refuses $text from $path', async ({ path, text, says }) => {
    server.faults = { answer: (asked) => (asked === path ? { status: 200, text } : undefined) };
    await expect(ask(undefined, [endpoint])).rejects.toMatchObject({
      kind: 'retryable',
      message: expect.stringContaining(says),
    });
  });

  test('refuses a server of another version', async () => {
    server.faults = { mediaType: 'application/external.dns.webhook+json;version=2' };
    await expect(ask()).rejects.toThrow('must be application/external.dns.webhook+json;version=1');
  });

  test.each([
    { status: 400, kind: 'terminal', mayHaveEffect: false },
    { status: 403, kind: 'unauthorized', mayHaveEffect: false },
    { status: 500, kind: 'retryable', mayHaveEffect: true },
  ])('reports a change that is answered with $status as $kind', async ({ status, kind, mayHaveEffect }) => {
    server.faults = { answer: () => ({ status, text: 'why' }) };
    await expect(send({ create: [endpoint] })).rejects.toMatchObject({ kind, mayHaveEffect });
  });

  test('has no effect where no server listens', async () => {
    const { url } = server;
    server.stop();
    const perform = provided.performer?.perform as Perform<WebhookRequest>;
    const failed = perform({ url, create: [endpoint] }, { signal, mayLeave: () => {} });
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
  });

  test.each([
    { url: 'http://127.0.0.1:8888', says: 'must not be loopback' },
    { url: 'http://dns-webhook.dns:8888', says: 'add dns-webhook.dns to --allowed-addresses' },
    { url: 'http://user:s3cret@192.0.2.1', says: 'must be an http or https URL without a user' },
    { url: 'ftp://192.0.2.1', says: 'must be an http or https URL without a user' },
  ])('connects to no address that the operator does not allow: $url', async ({ url, says }) => {
    const addresses = allowedAddresses([]);
    const source = webhookSource({ clock, addresses }).source as unknown as Source<WebhookQuestion, WebhookAnswer>;
    const asked = source({ url, names: [], wanted: [] }, { signal });
    await expect(asked).rejects.toThrow(says);
    await expect(asked).rejects.not.toThrow('s3cret');
    await addresses.close();
  });
});
