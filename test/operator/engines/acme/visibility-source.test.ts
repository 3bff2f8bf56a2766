import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VisibilityAnswer, VisibilityQuestion } from '../../../../operator/controllers/certificates/ports/acme.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { HttpResponder } from '../../../../operator/engines/acme/http-responder.js';
import { type ResolverFor, visibilitySource } from '../../../../operator/engines/acme/visibility-source.js';
import { CallError } from '../../../../operator/runtime/index.js';

const { signal } = new AbortController();
const challenge = { token: 'a-token', keyAuthorization: 'a-token.a-key' };

/** Every name is this machine. */
const local: HostLookup = () => (_host, options, callback) =>
  lookUp('127.0.0.1', options, callback as (...of: unknown[]) => void);

function ask(question: VisibilityQuestion, options: Parameters<typeof visibilitySource>[0]): Promise<VisibilityAnswer> {
  return visibilitySource(options).source(question as never, { signal }) as Promise<VisibilityAnswer>;
}

describe('a response by HTTP', () => {
  const responder = new HttpResponder();
  const servers: Server[] = [];
  let port: number;
  let redirecting: number;
  const listening = async (server: Server) => {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    responder.add(challenge);
    port = await listening(responder.server());
    redirecting = await listening(
      createServer(({ url = '' }, response) => {
        const to = url.endsWith('/round') ? url : `http://b.example.com:${port}${url}`;
        response.writeHead(301, { location: to }).end();
      }),
    );
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  it.each([
    { when: 'it is in place', question: challenge, visible: true },
    { when: 'a redirect leads to it', question: challenge, redirected: true, visible: true },
    {
      when: 'it is another text',
      question: { ...challenge, keyAuthorization: 'a-token.b' },
      visible: false,
      why: / answers with another text$/,
    },
    {
      when: 'it is missing',
      question: { token: 'b', keyAuthorization: 'b.a-key' },
      visible: false,
      why: / answers 404$/,
    },
    {
      when: 'redirects never end',
      question: { token: 'round', keyAuthorization: 'c' },
      redirected: true,
      visible: false,
      why: / redirects more than 10 times$/,
    },
  ])('is visible: $visible, when $when', async ({ question, redirected, visible, why }) => {
    const answer = await ask(
      { type: 'http-01', name: 'a.example.com', ...question },
      { lookup: local, port: redirected ? redirecting : port },
    );
    expect(answer.isVisible).toBe(visible);
    if (!answer.isVisible) expect(answer.why).toMatch(why ?? /^$/);
  });

  it.each(['a.example.com', '127.0.0.1'])(
    'is not looked for at %s, an address that must not be reached',
    async (name) => {
      const refusing: HostLookup = () => {
        throw new CallError('terminal', 'must be a permitted address');
      };
      const answer = await ask({ type: 'http-01', name, ...challenge }, { lookup: refusing, port });
      expect(answer).toMatchObject({ isVisible: false, why: expect.stringContaining('must be a permitted address') });
    },
  );
});

describe('the responder', () => {
  it.each([
    { url: '/.well-known/acme-challenge/a-token', response: 'a-token.a-key' },
    { url: '/.well-known/acme-challenge/', response: undefined },
    { url: '/.well-known/acme-challenge/b-token', response: undefined },
    { url: '/a-token', response: undefined },
  ])('answers $url with $response', ({ url, response }) => {
    const responder = new HttpResponder();
    responder.add(challenge);
    expect(responder.responseTo(url)).toBe(response);
  });
});

describe('a response by DNS', () => {
  const none = () => Promise.reject(Object.assign(new Error('queryTxt ENODATA'), { code: 'ENODATA' }));
  const broken = () => Promise.reject(Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' }));
  const question = { type: 'dns-01', name: 'a.example.com', record: 'a-value' } as const;
  type Records = Readonly<Record<string, readonly string[]>>;
  /** @param texts by the address of a server, the values of each name */
  const resolver =
    (
      texts: Readonly<Record<string, Records | 'broken'>>,
      { servers = { 'example.com': ['ns1', 'ns2'] }, aliases = {} }: { servers?: Records; aliases?: Records } = {},
    ): ResolverFor =>
    (addresses) => ({
      resolveNs: (name) => (servers[name] ? Promise.resolve([...servers[name]]) : none()),
      resolveCname: (name) => (aliases[name] ? Promise.resolve([...aliases[name]]) : none()),
      resolveTxt: (name) => {
        const of = texts[addresses?.[0] ?? ''] ?? {};
        if (of === 'broken') return broken();
        return of[name] ? Promise.resolve(of[name].map((value) => [value.slice(0, 2), value.slice(2)])) : none();
      },
      cancel: () => {},
    });
  const addresses: HostLookup = (host) => (_host, _options, callback) =>
    callback(null, [{ address: `at-${host}`, family: 4 }]);
  const own = '_acme-challenge.a.example.com';
  const both = (values: readonly string[]) => ({ 'at-ns1': { [own]: values }, 'at-ns2': { [own]: values } });

  it.each([
    { when: 'all servers have it', resolverFor: resolver(both(['a-value'])), answer: { isVisible: true } },
    { when: 'it is one of two', resolverFor: resolver(both(['b-value', 'a-value'])), answer: { isVisible: true } },
    {
      when: 'one server lacks it',
      resolverFor: resolver({ ...both(['a-value']), 'at-ns2': {} }),
      answer: { isVisible: false, why: `ns2 has no TXT record of ${own} with this value` },
    },
    {
      when: 'it has an old value',
      resolverFor: resolver(both(['b-value'])),
      answer: { isVisible: false, why: `ns1 has no TXT record of ${own} with this value` },
    },
    {
      when: 'the name is an alias of another zone',
      resolverFor: resolver(
        { 'at-ns3': { 'b.example.org': ['a-value'] } },
        { aliases: { [own]: ['b.example.org'] }, servers: { 'example.org': ['ns3'] } },
      ),
      answer: { isVisible: true },
    },
    {
      when: 'no zone has it',
      resolverFor: resolver({}, { servers: {} }),
      answer: { isVisible: false, why: `no zone of ${own} has a name server` },
    },
  ])('is $answer when $when', async ({ resolverFor, answer }) => {
    expect(await ask(question, { lookup: addresses, resolverFor })).toEqual(answer);
  });

  it('is not known when a server is broken', async () => {
    const resolverFor = resolver({ ...both(['a-value']), 'at-ns2': 'broken' });
    await expect(ask(question, { lookup: addresses, resolverFor })).rejects.toThrow('ESERVFAIL');
  });
});
