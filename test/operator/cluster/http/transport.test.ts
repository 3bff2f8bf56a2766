import { getEventListeners } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../operator/cluster/connection/connection.js';
import { Transport, type TransportOptions } from '../../../../operator/cluster/http/transport.js';
import { closed, listening } from './given-server.js';

let server: Server;
let transport: Transport;
afterEach(() => closed(server, transport));

/** A transport to a server that answers like this. */
async function given(
  listener: RequestListener,
  options: TransportOptions & Partial<Connection> = {},
): Promise<Transport> {
  const given = await listening(listener);
  server = given.server;
  const { origin } = given;
  const credentials = () => Promise.resolve({ authorization: 'Bearer secret', tls: {} });
  transport = new Transport({ origin, basePath: '', namespace: 'team', credentials, ...options }, options);
  return transport;
}

const status =
  (code: number, body: object | string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

/** Says a little every so often, and never all. */
const trickling: RequestListener = (_, response) => {
  response.write('[1');
  const saying = setInterval(() => response.write(',1'), 30);
  response.on('close', () => clearInterval(saying));
};

const get = { method: 'GET', path: '/x' } as const;

describe('an answer', () => {
  it('is read as its request says, and as JSON by default', async () => {
    const transport = await given(status(200, '{"a":1}'));
    const asked = { method: 'PUT', path: '/x', body: {} } as const;
    expect(await transport.json({ ...asked, read: (json) => `read ${json}` })).toBe('read {"a":1}');
    expect(await transport.json(asked)).toEqual({ a: 1 });
    const read = () => {
      throw new Error('not what was asked');
    };
    await expect(transport.json({ ...asked, read })).rejects.toThrow('PUT /x: no answer: not what was asked');
  });
});

describe('a request', () => {
  it('R1 carries its credentials, its path below the base and its body as JSON', async () => {
    const transport = await given(
      async (request, response) => {
        const body = await text(request);
        const { authorization, 'content-type': type } = request.headers;
        response.end(JSON.stringify({ url: request.url, authorization, type, body }));
      },
      { basePath: '/clusters/one' },
    );
    const answer = await transport.json({ method: 'POST', path: '/api/v1/x?y=1', body: { a: 'é' } });
    expect(answer).toEqual({
      ...{ url: '/clusters/one/api/v1/x?y=1', authorization: 'Bearer secret' },
      ...{ type: 'application/json', body: '{"a":"é"}' },
    });
  });

  it.each([
    {
      told: { code: 409, reason: 'AlreadyExists', message: 'POST /x: a is there' },
      when: 'the server says why',
      answer: status(409, { message: 'a is there', reason: 'AlreadyExists' }),
    },
    {
      told: { code: 403, reason: 'Forbidden', message: 'POST /x: <html>no</html>' },
      when: 'a proxy answers',
      answer: status(403, '<html>no</html>'),
    },
    {
      told: { code: 503, reason: 'ServiceUnavailable', message: 'POST /x: no further explanation' },
      when: 'nothing is said',
      answer: status(503, ''),
    },
    {
      told: { code: 429, reason: 'TooManyRequests', retryAfter: 7_000 },
      when: 'a header says how long to wait',
      answer: status(429, { message: 'slow' }, { 'retry-after': '7' }),
    },
    {
      told: { code: 503, reason: 'ServiceUnavailable', retryAfter: 90_000 },
      when: 'a header says until when to wait, by the clock of the server',
      answer: status(
        503,
        {},
        { date: 'Fri, 01 Jan 2100 00:00:00 GMT', 'retry-after': 'Fri, 01 Jan 2100 00:01:30 GMT' },
      ),
    },
    ...['soon', '-5', 'Fri, 01 Jan 1999 00:00:00 GMT', ''].map((header) => ({
      told: { code: 429, retryAfter: undefined },
      when: `a header makes no sense: ${header}`,
      answer: status(429, {}, { 'retry-after': header }),
    })),
    {
      told: { code: 429, retryAfter: 5_000 },
      when: 'the body says how long to wait',
      answer: status(429, { message: 'slow', details: { retryAfterSeconds: 5 } }),
    },
    {
      told: { code: 0, reason: 'NoAnswer' },
      when: 'the connection breaks',
      answer: ((request) => request.socket.destroy()) as RequestListener,
    },
    { told: { code: 0, reason: 'NoAnswer' }, when: 'the answer is no JSON', answer: status(200, 'yes') },
  ])('R4 fails with $told when $when', async ({ told, answer }) => {
    const transport = await given(answer);
    await expect(transport.json({ method: 'POST', path: '/x?a=1' })).rejects.toMatchObject({
      name: 'ApiError',
      ...told,
    });
  });

  it('R2 has a deadline', async () => {
    const transport = await given(() => {});
    const asking = transport.json({ method: 'GET', path: '/x', patience: 50 });
    await expect(asking).rejects.toMatchObject({ code: 0, reason: 'NoAnswer' });
  });

  describe.each([
    { what: 'an answer', ask: (transport: Transport, how: object) => transport.json({ ...get, ...how }) },
    { what: 'a stream', ask: (transport: Transport, how: object) => transport.stream({ ...get, ...how }) },
  ])('R2 R3 for $what, whose credentials never come,', ({ ask }) => {
    const never = { credentials: () => new Promise<never>(() => {}) };

    it('has a deadline', async () => {
      const asking = ask(await given(status(200, {}), never), { patience: 50 });
      await expect(asking).rejects.toMatchObject({
        ...{ code: 0, reason: 'NoAnswer', message: 'GET /x: no answer: no credentials in 50 ms' },
      });
    });

    it("throws its signal's reason when that is aborted, and leaves nothing on it", async () => {
      const [aborting, reason] = [new AbortController(), new Error('not wanted any more')];
      const asking = ask(await given(status(200, {}), never), { signal: aborting.signal });
      aborting.abort(reason);
      await expect(asking).rejects.toBe(reason);
      expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
    });
  });

  it('R3 fails without an answer when there are no credentials', async () => {
    const credentials = () => Promise.reject(new Error('the plug-in is not installed'));
    const asking = (await given(status(200, {}), { credentials })).json(get);
    await expect(asking).rejects.toMatchObject({ reason: 'NoAnswer', message: expect.stringContaining('plug-in') });
  });

  it.each([
    { when: 'the answer trickles', listener: trickling },
    { when: 'all connections are taken', listener: (() => {}) as RequestListener },
  ])('R2 ends when $when', async ({ listener }) => {
    const transport = await given(listener, { connections: 1 });
    const ask = () => transport.json({ method: 'GET', path: '/x', patience: 100 });
    const asking = Promise.allSettled([ask(), ask()]);
    expect(await asking).toMatchObject([{ reason: { reason: 'NoAnswer' } }, { reason: { reason: 'NoAnswer' } }]);
  });

  it('R2 leaves no timer and no listener behind', async () => {
    const transport = await given(status(200, {}));
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await transport.json({ method: 'GET', path: '/x', signal });
    expect(timers()).toBeLessThanOrEqual(before); // one of an earlier test may have ended
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it("R2 that is aborted throws the signal's reason", async () => {
    const aborting = new AbortController();
    const reason = new Error('not wanted any more');
    const transport = await given(() => aborting.abort(reason));
    await expect(transport.json({ method: 'GET', path: '/x', signal: aborting.signal })).rejects.toBe(reason);
  });

  it('R2 is one of 10,000 over no more connections than allowed', async () => {
    const sockets = new Set<unknown>();
    const transport = await given(
      (request, response) => {
        sockets.add(request.socket);
        response.end('{}');
      },
      { connections: 4 },
    );
    // In two halves, so that it would show if connections were left behind.
    for (let half = 0; half < 2; half++) {
      await Promise.all(Array.from({ length: 5_000 }, () => transport.json({ method: 'GET', path: '/x' })));
    }
    expect(sockets.size).toBe(4);
  });

  it('R32 is reported with its result', async () => {
    const told: string[] = [];
    const answered: TransportOptions['answered'] = ({ method, code }) => told.push(`${method} ${code}`);
    const transport = await given(status(404, {}), { answered });
    await transport.json({ method: 'GET', path: '/x' }).catch(() => {});
    expect(told).toEqual(['GET 404']);
  });

  it('R3 uses new certificates as soon as there are some', async () => {
    let tls = { ca: 'one' };
    const sockets = new Set<unknown>();
    const transport = await given(
      (request, response) => {
        sockets.add(request.socket);
        response.end('{}');
      },
      { connections: 1, credentials: () => Promise.resolve({ tls }) },
    );
    const ask = () => transport.json({ method: 'GET', path: '/x' });
    await ask();
    tls = { ca: 'one' };
    await ask();
    expect(sockets.size).toBe(1);
    tls = { ca: 'two' };
    await ask();
    expect(sockets.size).toBe(2);
  });
});

describe('a stream', () => {
  it('R2 has a connection of its own: no number of them takes those of requests away', async () => {
    const transport = await given((request, response) => response.write(request.url === '/x' ? '{}' : 'one'), {
      connections: 1,
    });
    const ending = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => transport.stream({ method: 'GET', path: '/watch', signal: ending.signal })),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    server.removeAllListeners('request');
    server.on('request', status(200, {}));
    expect(await transport.json({ method: 'GET', path: '/x' })).toEqual({});
    ending.abort();
    await Promise.allSettled(streams.map((stream) => stream.next()));
  });

  it('streams the answer as it arrives and fails when the connection breaks', async () => {
    const transport = await given((_, response) => {
      response.write('one');
    });
    const heard: string[] = [];
    const reading = async () => {
      for await (const pieces of await transport.stream({ method: 'GET', path: '/x' })) {
        heard.push(...pieces.map(String));
        server.closeAllConnections();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 0, reason: 'NoAnswer' });
    expect(heard).toEqual(['one']);
  });

  it('R4 limits Retry-After of a proxy to five minutes', async () => {
    const transport = await given(status(429, {}, { 'retry-after': '3000000' }));
    await expect(transport.json({ method: 'GET', path: '/' })).rejects.toMatchObject({ retryAfter: 300_000 });
  });
});
