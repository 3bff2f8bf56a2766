import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { hookSource } from '../../../../operator/engines/hooks/hook-source.js';
import type { HookRequest } from '../../../../operator/members/index.js';
import { restartHooks } from '../../../../operator/members/index.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort, portContract } from '../../../../operator/testing/index.js';
import { hooksModel } from '../../controllers/kafka/kafka-models.js';

const local: HostLookup = () => lookUp as ReturnType<HostLookup>;
const requests: { readonly path: string; readonly token: string; readonly body: unknown }[] = [];
let answer: (response: ServerResponse) => void;
const authority = await CertificateAuthority.create();
const caBundle = authority.own.certificate;
const { certificate: cert, key } = await authority.issue({ commonName: 'hooks', hosts: ['localhost'] });
const server = createServer({ cert, key }, async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as object;
  requests.push({ path: `${request.method} ${request.url}`, token: request.headers.authorization ?? '', body });
  answer(response);
});
await once(server.listen(0, 'localhost'), 'listening');
const url = `https://localhost:${(server.address() as AddressInfo).port}/kafka`;
beforeEach(() => {
  requests.length = 0;
  answer = (response) => response.writeHead(204).end();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const restart: HookRequest['restart'] = {
  ...{ id: 'one', hook: 'preRestart', namespace: 'shop', cluster: 'events', broker: 0, pod: 'events-broker-0' },
  ...{ interrupted: ['logs-0'], interruptedPartitions: 1 },
};

function given(lookup: HostLookup = local) {
  const { source, performer } = hookSource({ clock: { now: () => 0 }, lookup });
  const { signal } = new AbortController();
  return {
    state: (id = 'one') => source({ id, url, caBundle } as never, { signal }),
    send: async (request: Partial<HookRequest> = {}, secret?: SecretData) =>
      performer?.perform({ id: 'one', url, caBundle, restart, ...request } as never, {
        ...{ signal, mayLeave: () => {}, secret },
      }),
  };
}

const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => expect.fail('it was accepted'),
    (error: unknown) => error,
  );

describe('the server of a hook', () => {
  const start = {
    'that is real': async () => hookSource({ clock: { now: () => 0 }, lookup: local }),
    'that is a model': async () => new MemoryPort(hooksModel()).provided,
  };
  const question = { id: 'one', url, caBundle };
  for (const [which, starts] of Object.entries(start))
    for (const { name, holds } of portContract({
      ...{ port: restartHooks, start: starts, question, request: { ...question, restart } },
      ...{ before: { state: 'unknown' as const }, after: { state: 'confirmed' as const } },
    }))
      it(`${which} ${name}`, holds);

  it('gets the restart and the token of the Secret', async () => {
    await given().send({}, { token: 'a-token' });
    expect(requests).toEqual([{ path: 'POST /kafka', token: 'Bearer a-token', body: restart }]);
  });

  it('confirms one hook, and no other', async () => {
    const { send, state } = given();
    await send();
    expect([await state(), await state('two')]).toEqual([{ state: 'confirmed' }, { state: 'unknown' }]);
  });

  it.each<readonly [status: number, headers: Readonly<Record<string, string>>, retryAfter: number]>([
    [503, {}, 10_000],
    [409, {}, 10_000],
    [404, {}, 10_000],
    [302, { location: '/other' }, 10_000],
    [429, { 'retry-after': '7' }, 7_000],
  ])('that answers %s has not confirmed it, and is asked again', async (status, headers, retryAfter) => {
    answer = (response) => response.writeHead(status, headers).end('not\nyet');
    const { send, state } = given();
    const message = `${new URL(url).host} answered ${status}: not yet`;
    expect(await refusal(send())).toMatchObject({ kind: 'retryable', mayHaveEffect: false, retryAfter, message });
    expect(await state()).toEqual({ state: 'unknown' });
    expect(requests).toHaveLength(1);
  });

  it.each<readonly [address: string, why: RegExp]>([
    [url, /localhost.* must not be loopback/],
    ['https://169.254.169.254/latest', /must not be link-local/],
    ['https://hooks.example.org/kafka', /add hooks\.example\.org to --allowed-addresses/],
  ])('%s gets nothing unless the operator allows it', async (address, why) => {
    const { lookupFor } = allowedAddresses(['hooks.example.com', '*.internal.example.com']);
    const error = await refusal(given(lookupFor).send({ url: address }));
    expect(error).toMatchObject({ message: expect.stringMatching(why) });
    expect(requests).toEqual([]);
  });
});
