import { getEventListeners, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ResponseStream, responseStream } from '../../../../operator/cluster/http/response-stream.js';

let server: Server;
let pool: Pool;
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all([new Promise((resolve) => server.close(resolve)), pool.destroy()]);
});

/** Asks a server that answers so. */
async function given(answer: (response: ServerResponse) => void, signal?: AbortSignal, given: Pool.Options = {}) {
  server = createServer((_, response) => answer(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, given);
  const failure = (why: unknown) => new Error('it broke off', { cause: why });
  const options = { path: '/', method: 'GET', headersTimeout: 5000, bodyTimeout: 0 } as const;
  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const answered = await responseStream(pool, options, { signal, failure });
  const [, response] = await asked;
  return { answered, response };
}

async function heard({ pieces }: ResponseStream): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += Buffer.concat(piece).toString();
  return text;
}

describe('the body of an answer, as it comes', () => {
  it('reports its status and headers, ends, and removes its listeners from the signal', async () => {
    const { signal } = new AbortController();
    const { answered } = await given((response) => response.writeHead(203, { 'x-a': 'b' }).end('whole'), signal);
    expect(answered).toMatchObject({ statusCode: 203, headers: { 'x-a': 'b' } });
    expect(await heard(answered)).toBe('whole');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is given at once, all that has come, before that it broke off', async () => {
    const { answered, response } = await given((response) => response.write('one'));
    response.write('two');
    await vi.waitFor(() => expect(response.writableLength).toBe(0), { timeout: 120_000 });
    await new Promise((resolve) => setTimeout(resolve, 100)); // for it to arrive while nobody takes
    response.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await answered.pieces.next()).value?.map(String).join('')).toBe('onetwo');
    await expect(answered.pieces.next()).rejects.toThrow('it broke off');
  });

  it('is waited for', async () => {
    const { answered, response } = await given((response) => response.flushHeaders());
    const next = answered.pieces.next();
    response.end('late');
    expect((await next).value?.map(String)).toEqual(['late']);
    expect((await answered.pieces.next()).done).toBe(true);
  });

  it('ends with its signal, in the middle and before, and leaves nothing on it', async () => {
    const ending = new AbortController();
    const { answered, response } = await given((response) => response.write('one'), ending.signal);
    await answered.pieces.next();
    const next = answered.pieces.next();
    ending.abort(new Error('enough'));
    await expect(next).rejects.toMatchObject({ cause: new Error('enough') });
    await vi.waitFor(() => expect(response.destroyed).toBe(true), { timeout: 120_000 });
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
    const never = responseStream(pool, { path: '/', method: 'GET' }, { signal: ending.signal, failure: (why) => why });
    await expect(never).rejects.toThrow('enough');
  });

  it('fails where no answer comes, for its signal or its server', async () => {
    const { answered } = await given((response) => response.end());
    await heard(answered);
    server.removeAllListeners('request');
    server.on('request', () => {});
    const ending = new AbortController();
    const silent = responseStream(pool, { path: '/', method: 'GET' }, { signal: ending.signal, failure: (why) => why });
    setTimeout(() => ending.abort(new Error('enough')), 50);
    await expect(silent).rejects.toThrow('enough');
    server.removeAllListeners('request');
    server.on('request', ({ socket }) => socket.destroy());
    const broken = responseStream(pool, { path: '/', method: 'GET' }, { signal: undefined, failure: (why) => why });
    await expect(broken).rejects.toThrow('other side closed');
  });

  it('is not asked for by whom gave up while he waited for a connection', async () => {
    const { answered, response } = await given((response) => response.write('one'), undefined, { connections: 1 });
    const ending = new AbortController();
    const options = { path: '/given-up', method: 'GET' } as const;
    const waiting = responseStream(pool, options, { signal: ending.signal, failure: (why) => why });
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const asked: (string | undefined)[] = [];
    server.removeAllListeners('request');
    server.on('request', ({ url }, response) => {
      asked.push(url);
      response.end();
    });
    response.end();
    await heard(answered);
    await heard(
      await responseStream(pool, { path: '/after', method: 'GET' }, { signal: undefined, failure: (why) => why }),
    );
    expect(asked).toEqual(['/after']);
  });

  it('cancels its request when the reader stops', async () => {
    const { answered, response } = await given((response) => response.write('one'));
    for await (const _ of answered.pieces) break;
    await vi.waitFor(() => expect(response.destroyed).toBe(true), { timeout: 120_000 });
  });

  it('does not come faster than it is taken, and all of it comes', async () => {
    const [piece, pieces] = ['x'.repeat(1024 ** 2), 64];
    const { answered, response } = await given((response) => {
      for (let written = 0; written < pieces; written++) response.write(piece);
      response.end();
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(response.writableLength).toBeGreaterThan(32 * 1024 ** 2); // beside what the two ends of TCP hold
    expect((await heard(answered)).length).toBe(pieces * piece.length);
  });
});
