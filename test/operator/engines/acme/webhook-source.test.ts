import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { dnsWebhook, type WebhookRequest } from '../../../../operator/controllers/certificates/ports/dns-webhook.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { webhookSource } from '../../../../operator/engines/acme/webhook-source.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort, portContract } from '../../../../operator/testing/index.js';
import { webhookModel } from './webhook-model.js';

const local: HostLookup = () => lookUp as ReturnType<HostLookup>;
const minute = 60_000;
const value = 'a-value';
const name = '_acme-challenge.example.com';

/** A webhook with a private CA, and the requests that reached it. */
const requests: { readonly path: string; readonly token: string; readonly body: unknown }[] = [];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
const authority = await CertificateAuthority.create();
const caBundle = authority.own.certificate;
const { certificate: cert, key } = await authority.issue({ commonName: 'webhook', hosts: ['localhost'] });
const listener = createServer({ cert, key }, async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as object;
  requests.push({ path: `${request.method} ${request.url}`, token: request.headers.authorization ?? '', body });
  answer(response, request);
});
await once(listener.listen(0, 'localhost'), 'listening');
const url = `https://localhost:${(listener.address() as AddressInfo).port}/acme/`;
beforeEach(() => {
  requests.length = 0;
  answer = (response) => response.writeHead(204).end();
});
afterAll(() => {
  listener.closeAllConnections();
  listener.close();
});

interface Sending {
  readonly secret?: SecretData;
  readonly signal?: AbortSignal;
  readonly mayLeave?: () => void;
}

function given(lookup: HostLookup = local) {
  const clock = { time: 0, now: () => clock.time };
  const { source, performer } = webhookSource({ clock, lookup });
  const { signal } = new AbortController();
  return {
    clock,
    state: () => source({ url, caBundle, name, value } as never, { signal }),
    send: async (act: WebhookRequest['act'], of: Sending = {}, request: Partial<WebhookRequest> = {}) =>
      performer?.perform({ url, caBundle, name, value, ...request, act } as never, {
        ...{ signal, mayLeave: () => {}, ...of },
      }),
  };
}

/** The error of a call. */
async function refusal(sent: Promise<unknown>): Promise<unknown> {
  return sent.then(
    () => expect.fail('it was accepted'),
    (error: unknown) => error,
  );
}

describe('a webhook', () => {
  const start = {
    'that is real': async () => webhookSource({ clock: { now: () => 0 }, lookup: local }),
    'that is a model': async () => new MemoryPort(webhookModel).provided,
  };
  const question = { url, caBundle, name, value };
  for (const [which, starts] of Object.entries(start))
    for (const { name: title, holds } of portContract({
      ...{ port: dnsWebhook, start: starts, question, request: { ...question, act: 'present' as const } },
      ...{ before: { state: 'unknown' as const }, after: { state: 'presented' as const } },
    }))
      it(`${which} ${title}`, holds);

  it('gets a name and a value at present and cleanup, and the token of the Secret', async () => {
    const { send } = given();
    await send('present', { secret: { token: 'a-token\n' } });
    await send('cleanup');
    expect(requests).toEqual([
      { path: 'POST /acme/present', token: 'Bearer a-token', body: { name, value } },
      { path: 'POST /acme/cleanup', token: '', body: { name, value } },
    ]);
  });

  it('is believed for ten minutes, and until the next request', async () => {
    const { send, state, clock } = given();
    await send('present');
    clock.time = 10 * minute - 1;
    expect(await state()).toEqual({ state: 'presented' });
    clock.time = 10 * minute;
    expect(await state()).toEqual({ state: 'unknown' });
    await send('cleanup');
    expect(await state()).toEqual({ state: 'cleanedUp' });
    answer = (response) => response.writeHead(500).end();
    await refusal(send('present'));
    expect(await state()).toEqual({ state: 'unknown' });
  });

  it.each<readonly [status: number, headers: Readonly<Record<string, string>>, error: object]>([
    [400, {}, { kind: 'retryable', mayHaveEffect: false, retryAfter: 10 * minute }],
    [302, { location: '/other' }, { kind: 'retryable', mayHaveEffect: false, retryAfter: 10 * minute }],
    [401, {}, { kind: 'unauthorized', mayHaveEffect: false }],
    [429, { 'retry-after': '7' }, { kind: 'retryable', mayHaveEffect: false, retryAfter: 7_000 }],
    [503, {}, { kind: 'retryable', mayHaveEffect: true, retryAfter: undefined }],
  ])('that answers %s is reported with its text on one line', async (status, headers, error) => {
    answer = (response) => response.writeHead(status, headers).end('not\nnow ');
    const { host } = new URL(url);
    expect(await refusal(given().send('present'))).toMatchObject({
      ...error,
      message: `${host} answered ${status}: not now`,
    });
    expect(requests).toHaveLength(1);
  });

  it('cannot bring the token into a message', async () => {
    answer = (response, { headers }) => response.writeHead(403).end(`no: ${headers.authorization}`);
    const error = await refusal(given().send('present', { secret: { token: 'a-secret-token' } }));
    expect(String(error)).toMatch(/answered 403: no: Bearer …$/);
  });

  it('that does not answer is left at the deadline', async () => {
    const ending = new AbortController();
    answer = () => ending.abort(new Error('no answer within 30000 ms'));
    await expect(given().send('present', { signal: ending.signal })).rejects.toThrow('no answer within 30000 ms');
  });

  it('that has another CA is unreachable', async () => {
    const other = (await CertificateAuthority.create()).own.certificate;
    expect(await refusal(given().send('present', {}, { caBundle: other }))).toMatchObject({ kind: 'unreachable' });
    expect(requests).toEqual([]);
  });

  it('gets nothing once the lease is lost', async () => {
    const mayLeave = () => {
      throw new Error('the lease is lost');
    };
    await expect(given().send('present', { mayLeave })).rejects.toThrow('the lease is lost');
    expect(requests).toEqual([]);
  });

  it.each<readonly [address: string, entries: readonly string[], why: RegExp]>([
    ['https://dns.example.com', [], /must be allowed by the operator: add dns\.example\.com/],
    ['https://10.0.0.1', ['*.example.com'], /must be allowed by the operator: add 10\.0\.0\.1/],
    ['https://127.0.0.1', ['10.0.0.0/8'], /must not be loopback/],
    ['https://[::1]', ['10.0.0.0/8'], /must not be loopback/],
    ['https://169.254.169.254', ['10.0.0.0/8'], /must not be/],
  ])('at %s gets nothing if the operator allows %j', async (address, entries, why) => {
    const { lookupFor, close } = allowedAddresses(entries);
    expect(await refusal(given(lookupFor).send('present', {}, { url: address }))).toMatchObject({
      kind: 'terminal',
      message: expect.stringMatching(why),
    });
    await close();
  });
});

describe('the Secret of a webhook', () => {
  it.each<readonly [data: SecretData, why: RegExp]>([
    [{}, /data\[token\] of the webhook's Secret: Required value/],
    [{ token: ' ' }, /Required value/],
    [{ token: 'two words' }, /Invalid value: must be printable ASCII/],
    [{ token: 'pässword' }, /Invalid value: must be printable ASCII/],
  ])('with %j is refused before a request, without its content', async (secret, why) => {
    const error = await refusal(given().send('present', { secret }));
    expect(error).toMatchObject({ kind: 'unauthorized', message: expect.stringMatching(why) });
    if (secret['token']?.trim()) expect(String(error)).not.toContain(secret['token']);
    expect(requests).toEqual([]);
  });
});
