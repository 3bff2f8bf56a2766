import { generateKeyPairSync } from 'node:crypto';
import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { selfSigned } from '../../../../operator/certificates/signing.js';
import { acmeOrder } from '../../../../operator/controllers/certificates/ports/acme.js';
import { renewalInfo } from '../../../../operator/controllers/certificates/ports/renewal-info.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { acmePorts } from '../../../../operator/engines/acme/acme-ports.js';

const local: HostLookup = () => lookUp as ReturnType<HostLookup>;
const minute = 60_000;
const [start, end] = ['2030-01-01T00:00:00.5Z', '2030-01-03T00:00:00+01:00'];
const window = { start: Date.parse('2030-01-01T00:00:00Z'), end: Date.parse('2030-01-02T23:00:00Z') };

const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const validity = { from: Date.now(), to: Date.now() + 86_400_000 };
const certificate = await selfSigned({ commonName: 'shop', usages: [], isCA: false, validity }, key);

/** A server, and the requests that reached it. */
const requests: string[] = [];
let answer: (response: ServerResponse, request: IncomingMessage, body: string) => void;
const listener = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  requests.push(`${request.method} ${request.url}`);
  answer(response, request, body);
});
await once(listener.listen(0, 'localhost'), 'listening');
const origin = `http://localhost:${(listener.address() as AddressInfo).port}`;
const directory = { newNonce: `${origin}/nonce`, newOrder: `${origin}/order`, renewalInfo: `${origin}/info` };

/** Answers with the directory, and with this to other requests. */
function answers(
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
  of: object = directory,
) {
  answer = (response, { url }) => {
    if (url === '/directory') response.end(JSON.stringify(of));
    else response.writeHead(status, headers).end(typeof content === 'string' ? content : JSON.stringify(content));
  };
}

beforeEach(() => {
  requests.length = 0;
  answers({ suggestedWindow: { start, end } });
});
afterAll(() => {
  listener.close();
});

function given() {
  const timers: { readonly after: number; readonly callback: () => void; isCancelled: boolean }[] = [];
  const clock = {
    now: () => 0,
    after: (after: number, callback: () => void) => {
      const timer = { after, callback, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
  };
  const { provided } = acmePorts({ clock, lookup: local, challengeLookup: local });
  const of = (name: string) => provided.find(({ port }) => port.name === name) ?? expect.fail(`no port ${name}`);
  const question = { directory: `${origin}/directory`, certificate };
  const { signal } = new AbortController();
  return {
    ...{ timers, question },
    ask: async (until = signal) => of(renewalInfo.name).source(question as never, { signal: until }),
    listen: (announce: (asked: unknown) => void, until = signal) =>
      of(renewalInfo.name).announces?.(announce, { signal: until }),
    create: async (request: object) =>
      of(acmeOrder.name).performer?.perform(request as never, { signal, mayLeave: () => {}, secret: accountKey }),
  };
}

describe('the renewal information of a server', () => {
  it('is read by a GET with the identifier of the certificate, in whole seconds', async () => {
    expect(await given().ask()).toEqual({ renewalInfo: { id: expect.stringMatching(/^[\w-]+\.[\w-]+$/), ...window } });
    expect(requests).toEqual(['GET /directory', expect.stringMatching(/^GET \/info\/[\w-]+\.[\w-]+$/)]);
  });

  it.each<readonly [url: unknown, explanation: string | undefined]>([
    ['https://example.com/why', 'https://example.com/why'],
    ['javascript:alert(1)', undefined],
    [`https://example.com/${'x'.repeat(1024)}`, undefined],
    [7, undefined],
  ])('has the page %j as %s', async (explanationURL, explanation) => {
    answers({ suggestedWindow: { start, end }, explanationURL });
    const of = (await given().ask()) as { readonly renewalInfo: { readonly explanation?: string } };
    expect(of.renewalInfo.explanation).toBe(explanation);
  });

  it('is empty if the directory has none', async () => {
    answers('', {}, 500, { newOrder: `${origin}/order` });
    expect(await given().ask()).toEqual({});
    expect(requests).toEqual(['GET /directory']);
  });

  it.each<readonly [when: string, content: unknown, status: number | undefined]>([
    ['it is no JSON', '<html>', undefined],
    ['it is null', null, undefined],
    ['it has no window', {}, undefined],
    ['a time is none', { suggestedWindow: { start: 'soon', end } }, undefined],
    ['a time is missing', { suggestedWindow: { start } }, undefined],
    ['the window is empty', { suggestedWindow: { start, end: start } }, undefined],
    ['the window ends before its start', { suggestedWindow: { start: end, end: start } }, undefined],
    ['the window starts before 1970', { suggestedWindow: { start: '1969-12-31T00:00:00Z', end } }, undefined],
    ['no status can store a time', { suggestedWindow: { start, end: '+010000-01-01T00:00:00Z' } }, undefined],
    ['the server does not know the certificate', '', 404],
    ['the server fails', '', 500],
  ])('is not known if %s', async (_when, content, status) => {
    answers(content, {}, status);
    const { ask, timers, listen } = given();
    listen(() => {});
    await expect(ask()).rejects.toThrow();
    expect(timers).toEqual([]);
  });

  it.each([
    ['360 minutes without Retry-After', {}, 360],
    ['the time of Retry-After', { 'retry-after': '7200' }, 120],
    ['a minute at least', { 'retry-after': '1' }, 1],
    ['a day at most', { 'retry-after': '9999999' }, 1440],
  ] as const)('is announced after %s', async (_after, headers, minutes) => {
    answers({ suggestedWindow: { start, end } }, headers);
    const { ask, timers, listen, question } = given();
    const announced: unknown[] = [];
    listen((asked) => announced.push(asked));
    await ask();
    expect(timers.map(({ after }) => after)).toEqual([minutes * minute]);
    timers[0]?.callback();
    expect(announced).toEqual([question]);
  });

  it('is announced once for several polls, and not after the end of the lease', async () => {
    const { ask, timers, listen } = given();
    const lease = new AbortController();
    listen(() => {}, lease.signal);
    await ask();
    await ask();
    expect(timers.map(({ isCancelled }) => isCancelled)).toEqual([true, false]);
    lease.abort();
    expect(timers.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
    await ask();
    expect(timers).toHaveLength(2);
  });

  it('is not asked for after the signal', async () => {
    await expect(given().ask(AbortSignal.abort(new Error('the operator stops')))).rejects.toThrow('the operator stops');
    expect(requests).toEqual([]);
  });
});

const accountKey = {
  'tls.key': generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
};

describe('an order that replaces a certificate', () => {
  const order = { directory: `${origin}/directory`, account: `${origin}/account/1`, id: 'a', names: ['a.example.com'] };
  it.each<readonly [expected: string, problem: string, status: number, replaces: readonly unknown[]]>([
    ['is created', '', 201, ['an-id']],
    ['replaces none', 'alreadyReplaced', 409, ['an-id', undefined]],
    ['replaces none', 'malformed', 400, ['an-id', undefined]],
    ['replaces none', 'unauthorized', 403, ['an-id', undefined]],
    ['replaces none', 'serverInternal', 500, ['an-id', undefined]],
    ['is left', 'rateLimited', 429, ['an-id']],
  ])('%s after the answer %s', async (expected, problem, status, replaces) => {
    const sent: unknown[] = [];
    answer = (response, { url }, body) => {
      response.setHeader('Replay-Nonce', 'a-nonce');
      if (url === '/directory') return response.end(JSON.stringify(directory));
      if (url !== '/order') return response.end();
      const { payload } = JSON.parse(body) as { readonly payload: string };
      const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly replaces?: string };
      sent.push(content.replaces);
      const isRefused = problem !== '' && content.replaces !== undefined;
      const type = `urn:ietf:params:acme:error:${problem}`;
      response.writeHead(isRefused ? status : 201, isRefused ? {} : { location: `${origin}/order/1` });
      return response.end(JSON.stringify(isRefused ? { type, detail: 'no' } : { status: 'pending' }));
    };
    const created = given().create({ ...order, act: 'create', replaces: 'an-id' });
    if (expected === 'is left') await expect(created).rejects.toThrow('rateLimited');
    else await created;
    expect(sent).toEqual(replaces);
  });
});
