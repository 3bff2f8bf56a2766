import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, CountingClient, type Failed, type Period } from './counting-client.js';
import { answered, tallyOf } from './tally.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server on this machine. */
async function givenServer(listener: RequestListener) {
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, connections: () => connections };
}

function givenClient(options: Partial<ClientOptions> & { readonly url: string }): CountingClient {
  const client = new CountingClient({ rate: 500, keepAlive: true, patience: 60_000, ...options });
  ends.push(() => client.stop());
  return client;
}

/** What a client counts until it has heard of so many requests. */
async function periodsOf(client: CountingClient, requests: number): Promise<readonly Period[]> {
  const periods: Period[] = [];
  const heard = () => {
    periods.push(client.take());
    const ended = periods.flatMap(({ answers, failed }) => [...Object.values(answers), ...failed.map(() => 1)]);
    expect(ended.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(requests);
  };
  await vi.waitFor(heard, { timeout: 120_000, interval: 10 });
  return periods;
}

/** The ends of failed requests, each once. */
const reasons = (failed: readonly Failed[]) => [
  ...new Set(failed.map(({ why, version }) => `${why} ${version ?? ''}`)),
];

describe('the counting client', () => {
  test.each([404, 503])('counts answers by version and status, and a %i as a failure of its version', async (bad) => {
    let asked = 0;
    const { url } = await givenServer((_, response) => {
      asked++;
      response
        .setHeader('X-Version', asked % 2 ? '1.0.0' : '1.1.0')
        .writeHead(asked % 2 ? 200 : bad)
        .end('text');
    });
    const periods = await periodsOf(givenClient({ url }), 100);
    const keys = new Set(periods.flatMap(({ answers }) => Object.keys(answers)));
    expect(keys).toEqual(new Set(['1.0.0 200', `1.1.0 ${bad}`]));
    const { failed, answers } = tallyOf(periods);
    expect(reasons(failed)).toEqual([`${bad} 1.1.0`]);
    expect(failed).toHaveLength(answers['1.1.0'] ?? -1);
  });

  test('counts an answer without a version under no version', async () => {
    const { url } = await givenServer((_, response) => response.writeHead(502).end());
    const tally = tallyOf(await periodsOf(givenClient({ url }), 10));
    expect(Object.keys(tally.answers)).toEqual(['-']);
    expect(reasons(tally.failed)).toEqual(['502 ']);
  });

  test.each([
    {
      why: 'ECONNRESET',
      when: 'the connection ends',
      patience: 10_000,
      listener: (_: unknown, { socket }: { socket: unknown }) => end(socket),
    },
    { why: 'late to answer', when: 'nobody answers in time', patience: 100, listener: () => {} },
  ])('counts a failure once when $when: $why', async ({ why, patience, listener }) => {
    const { url } = await givenServer(listener as RequestListener);
    const client = givenClient({ url, patience, rate: 100 });
    const first = await periodsOf(client, 20);
    await client.stop();
    const { failed, answers } = tallyOf([...first, client.take()]);
    expect(answers).toEqual({});
    expect(reasons(failed)).toEqual([`${why} `]);
    expect(new Set(failed).size).toBe(failed.length);
  });

  test('counts an answer that is cut in the middle as a failure', async () => {
    const { url } = await givenServer((_, response) => {
      response.writeHead(200, { 'Content-Length': '100', 'X-Version': '1.0.0' }).write('half');
      setImmediate(() => response.socket?.destroy());
    });
    const tally = tallyOf(await periodsOf(givenClient({ url }), 10));
    expect(tally.answers).toEqual({});
    expect(reasons(tally.failed)).toEqual(['ECONNRESET ']);
  });

  test('tells each failure at once, with the address of the name', async () => {
    const { url } = await givenServer((_, { socket }) => socket?.destroy());
    const told: Failed[] = [];
    const lookup: LookupFunction = (_, options, callback) => {
      if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    };
    const named = url.replace('127.0.0.1', 'shop.example.com');
    const client = givenClient({ url: named, lookup, onFailed: (failed) => told.push(failed) });
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(5), { timeout: 120_000, interval: 5 });
    await client.stop();
    expect(new Set(told.map(({ why, address }) => `${why} ${address}`))).toEqual(new Set(['ECONNRESET 127.0.0.1']));
    expect(client.take().failed).toEqual(told);
  });

  test('sends at its rate even without answers', async () => {
    let waiting = 0;
    const { url } = await givenServer(() => waiting++);
    givenClient({ url, rate: 400, keepAlive: false });
    await vi.waitFor(() => expect(waiting).toBeGreaterThanOrEqual(100), { timeout: 120_000, interval: 5 });
  });

  test.each([
    { keepAlive: true, what: 'shares connections' },
    { keepAlive: false, what: 'opens one for each request' },
  ])('with keepAlive $keepAlive it $what', async ({ keepAlive }) => {
    const { url, connections } = await givenServer((_, response) => response.end());
    const client = givenClient({ url, keepAlive, rate: 200 });
    // After a standstill of this machine many requests leave at once.
    const periods = await periodsOf(client, 200);
    await client.stop();
    const requests = answered(tallyOf([...periods, client.take()]));
    if (keepAlive) expect(connections()).toBeLessThan(requests);
    else expect(connections()).toBe(requests);
  });

  test('reports each request once, also those that end after the stop', async () => {
    let asked = 0;
    const { url } = await givenServer((_, response) => {
      asked++;
      setTimeout(() => response.setHeader('X-Version', '1').end(), 50);
    });
    const client = givenClient({ url });
    const periods = await periodsOf(client, 50);
    await client.stop();
    expect(tallyOf([...periods, client.take()]).answers).toEqual({ '1': asked });
  });

  test('sends the headers that it is given', async () => {
    const { url } = await givenServer(({ headers }, response) => {
      response.setHeader('X-Version', String(headers['x-variant'])).end();
    });
    const tally = tallyOf(await periodsOf(givenClient({ url, headers: { 'x-variant': 'b' } }), 10));
    expect(Object.keys(tally.answers)).toEqual(['b']);
  });
});

function end(socket: unknown): void {
  (socket as { destroy(): void }).destroy();
}
