import { generateKeyPairSync } from 'node:crypto';
import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publicKeyOf } from '../../../../operator/certificates/reading.js';
import {
  type AccountAnswer,
  accountQuestion,
  acmeAccount,
  acmeOrder,
  type OrderQuestion,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { acmePorts } from '../../../../operator/engines/acme/acme-ports.js';
import { CallError } from '../../../../operator/runtime/index.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';

const key = (type: 'ec' | 'ed25519') =>
  (type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
const secret = { 'tls.key': key('ec') };
const local: HostLookup = () => lookUp as ReturnType<HostLookup>;
const hour = 3_600_000;

/** A server that answers as an ACME server does as long as nothing is wrong, and the requests that reached it. */
const requests: string[] = [];
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => boolean;
const listener = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  if (answer(request, response)) return;
  response.setHeader('Replay-Nonce', 'a-nonce');
  if (request.url === '/directory') {
    const paths = { newNonce: `${origin}/nonce`, newAccount: `${origin}/account`, newOrder: `${origin}/order` };
    response.end(JSON.stringify({ ...paths, meta: { profiles: { a: 'b' } } }));
  } else {
    response.setHeader('Location', `${origin}/account/1`);
    response.end(JSON.stringify({ status: 'valid' }));
  }
});

beforeAll(async () => {
  await once(listener.listen(0, 'localhost'), 'listening');
  origin = `http://localhost:${(listener.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests.length = 0;
  answer = () => false;
});
afterAll(() => {
  listener.close();
});

interface Asking {
  readonly directory?: string;
  readonly secret?: SecretData | undefined;
  readonly signal?: AbortSignal;
}

function given({ lookup = local }: { readonly lookup?: HostLookup } = {}) {
  const clock = { time: 0, now: () => clock.time, after: () => () => {} };
  const { provided } = acmePorts({ clock, lookup, challengeLookup: lookup });
  const of = (name: string) => provided.find(({ port }) => port.name === name);
  const { signal } = new AbortController();
  const options = (of_: Asking) => ({ signal, secret, ...of_ });
  const announced: unknown[] = [];
  const lease = new AbortController();
  of(acmeAccount.name)?.announces?.((question) => announced.push(question), { signal: lease.signal });
  return {
    ...{ clock, announced, lease },
    account: ({ directory = `${origin}/directory`, ...of_ }: Asking = {}) =>
      of(acmeAccount.name)?.source({ directory } as never, options(of_)),
    order: (question: Partial<OrderQuestion> = {}) => {
      const own = {
        directory: `${origin}/directory`,
        account: `${origin}/account/1`,
        id: 'a',
        names: ['a.example.com'],
      };
      return of(acmeOrder.name)?.source({ ...own, order: `${origin}/order/1`, ...question } as never, options({}));
    },
    create: (mayLeave: () => void) => {
      const own = {
        directory: `${origin}/directory`,
        account: `${origin}/account/1`,
        id: 'a',
        names: ['a.example.com'],
      };
      return of(acmeOrder.name)?.performer?.perform({ ...own, act: 'create' } as never, { ...options({}), mayLeave });
    },
  };
}

describe('an ACME server', () => {
  it('gives its directory once an hour', async () => {
    const { account, clock } = given();
    const directories = () => requests.filter((one) => one === 'GET /directory').length;
    await account();
    expect(await account()).toMatchObject({ profiles: { a: 'b' }, requiresExternalAccount: false });
    clock.time = hour - 1;
    await account();
    expect(directories()).toBe(1);
    clock.time = hour;
    await account();
    expect(directories()).toBe(2);
  });

  it.each([
    { when: 'it fails', status: 503, headers: { 'Retry-After': '7' }, error: { kind: 'retryable', retryAfter: 7_000 } },
    { when: 'it redirects', status: 302, headers: { Location: '/other' }, error: { kind: 'terminal' } },
    { when: 'something in front of it refuses', status: 403, headers: {}, error: { kind: 'unauthorized' } },
  ])('is asked once and then again, when $when', async ({ status, headers, error }) => {
    answer = (_request, response) => response.writeHead(status, headers).end('<html>') !== undefined;
    const { account } = given();
    await expect(account()).rejects.toMatchObject(error);
    expect(requests).toEqual(['GET /directory']);
    answer = () => false;
    await expect(account()).resolves.toMatchObject({ account: { url: `${origin}/account/1` } });
  });

  it('that is not there is named with the cause', async () => {
    const directory = `http://localhost:${await freePort()}/directory`;
    await expect(given().account({ directory })).rejects.toMatchObject({
      message: expect.stringMatching(/^localhost:\d+: .*ECONNREFUSED/),
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it.each(['http://127.0.0.1:1/directory', 'http://[::1]:1/directory', 'http://localhost:1/directory'])(
    'at %s is not reached if its address must not be',
    async (directory) => {
      const lookup: HostLookup = () => {
        throw new CallError('terminal', 'must be a permitted address');
      };
      await expect(given({ lookup }).account({ directory })).rejects.toThrow('must be a permitted address');
    },
  );

  it('gets no request after the signal', async () => {
    const signal = AbortSignal.abort(new Error('the operator stops'));
    await expect(given().account({ signal })).rejects.toThrow('the operator stops');
    expect(requests).toEqual([]);
  });

  it('gets no request that changes something once the lease is lost', async () => {
    const lost = () => {
      throw new Error('the lease is lost');
    };
    await expect(given().create(lost)).rejects.toThrow('the lease is lost');
    expect(requests.filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  it('that answers without end is left', async () => {
    answer = (_request, response) => response.end('x'.repeat(2 * 1024 * 1024)) !== undefined;
    await expect(given().account()).rejects.toThrow(/response.*size/i);
  });
});

describe('an answer that contradicts an account', () => {
  const problem = (type: string) => (_request: IncomingMessage, response: ServerResponse) =>
    _request.url === '/order/1' || _request.url === '/order'
      ? response.writeHead(400).end(`{"type":"urn:ietf:params:acme:error:${type}"}`) !== undefined
      : false;

  it.each([
    ['accountDoesNotExist', true],
    ['unauthorized', true],
    ['malformed', false],
    ['rateLimited', false],
  ])('of the problem %s has the account asked about: %s', async (type, isAnnounced) => {
    const { announced, order, create } = given();
    answer = problem(type);
    await Promise.resolve(order()).catch(() => {});
    await Promise.resolve(create(() => {})).catch(() => {});
    const question = accountQuestion({ directory: `${origin}/directory` }, publicKeyOf(secret['tls.key']) ?? '');
    expect(announced.map((one) => JSON.stringify(one))).toEqual(isAnnounced ? [JSON.stringify(question)] : []);
  });

  it('is announced again ten seconds later, and not after the end of the lease', async () => {
    const { announced, order, clock, lease } = given();
    answer = problem('unauthorized');
    await order();
    clock.time = 9_999;
    await order();
    expect(announced).toHaveLength(1);
    clock.time = 10_000;
    await order();
    expect(announced).toHaveLength(2);
    lease.abort();
    clock.time = 30_000;
    await order();
    expect(announced).toHaveLength(2);
  });

  it('has the directory read again, because the server may be another one', async () => {
    const { account, order } = given();
    await account();
    answer = problem('accountDoesNotExist');
    await expect(order()).rejects.toThrow('accountDoesNotExist');
    await account();
    expect(requests.filter((one) => one === 'GET /directory')).toHaveLength(2);
  });

  it.each([
    ['accountDoesNotExist', { account: undefined, refusal: undefined }],
    ['unauthorized', { account: undefined, refusal: 'unauthorized: deactivated' }],
  ])('by the problem %s to the question of the account itself is the answer %j', async (type, expected) => {
    answer = ({ url }, response) =>
      url === '/account' &&
      response.writeHead(403).end(`{"type":"urn:ietf:params:acme:error:${type}","detail":"deactivated"}`) !== undefined;
    const { account, announced } = given();
    const { account: found, refusal } = (await account()) as AccountAnswer;
    expect({ account: found, refusal }).toEqual(expected);
    expect(announced).toEqual([]);
  });
});

describe('an order that the server does not answer with', () => {
  it.each([
    { when: 'it has none', status: 404, body: '', result: { isGone: true } },
    {
      when: 'it is of another account',
      status: 403,
      body: '{"type":"urn:ietf:params:acme:error:unauthorized"}',
      result: { isGone: true },
    },
    { when: 'something in front of it refuses', status: 403, body: '<html>', result: undefined },
    { when: 'it fails', status: 500, body: '', result: undefined },
  ])('is $result when $when', async ({ status, body, result }) => {
    answer = ({ url }, response) => url === '/order/1' && response.writeHead(status).end(body) !== undefined;
    const asked = given().order();
    if (result) await expect(asked).resolves.toEqual(result);
    else await expect(asked).rejects.toBeInstanceOf(CallError);
  });
});

it('answers the same, in whatever order the server lists names and challenges', async () => {
  const challenges = ['dns-01', 'http-01', 'tls-alpn-01'].map((type) => ({
    type,
    url: type,
    status: 'pending',
    token: 'a',
  }));
  const authorizations = ['a', 'b'].map((name) => ({
    ...{ identifier: { type: 'dns', value: `${name}.example.com` }, status: 'pending', challenges },
  }));
  const answered = async (ordered: (list: readonly unknown[]) => readonly unknown[]) => {
    answer = ({ url = '' }, response) => {
      const [, kind, name] = url.split('/');
      const identifiers = ordered(authorizations.map(({ identifier }) => identifier));
      const urls = ordered([`${origin}/authorization/0`, `${origin}/authorization/1`]);
      const authorization = authorizations[Number(name)];
      const bodies: Readonly<Record<string, object>> = {
        order: { status: 'pending', identifiers, authorizations: urls },
        authorization: { ...authorization, challenges: ordered(challenges) },
      };
      const body = bodies[kind ?? ''];
      return body !== undefined && response.end(JSON.stringify(body)) !== undefined;
    };
    return given().order();
  };
  const forward = await answered((list) => list);
  const backward = await answered((list) => list.toReversed());
  expect(backward).toEqual(forward);
  expect(forward).toMatchObject({ order: { names: ['a.example.com', 'b.example.com'] } });
});

describe('the Secret of an account', () => {
  it.each<{ with: string; data: SecretData | undefined; why: RegExp }>([
    { with: 'no data', data: undefined, why: /Required value/ },
    { with: 'another key', data: { key: 'another-value' }, why: /Required value/ },
    {
      with: 'a text that is no key',
      data: { 'tls.key': 'a-secret-text' },
      why: /Invalid value: must be an RSA or ECDSA/,
    },
    {
      with: 'a key that ACME does not know',
      data: { 'tls.key': key('ed25519') },
      why: /Invalid value: must be an RSA or ECDSA/,
    },
  ])('with $with is refused before a request, without its content', async ({ data, why }) => {
    const error = await given()
      .account({ secret: data })
      ?.then(
        () => undefined,
        (cause: unknown) => cause,
      );
    expect(error).toMatchObject({ kind: 'unauthorized', message: expect.stringMatching(why) });
    for (const value of Object.values(data ?? {})) expect(String(error)).not.toContain(value);
    expect(requests).toEqual([]);
  });
});
