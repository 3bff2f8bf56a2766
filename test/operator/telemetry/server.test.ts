import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, serve } from '../../../operator/telemetry/server.js';

let server: Listening | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server?.close();
});

/** A connection that reads nothing before it is resumed. */
async function connected(): Promise<Socket> {
  const socket = connect(server?.port ?? 0, '127.0.0.1').pause();
  sockets.push(socket);
  socket.on('error', () => {}); // it is cut
  await once(socket, 'connect');
  return socket;
}

/** The server's side of the next connection. */
function accepted(): Promise<Socket> {
  return new Promise((resolve) => {
    const heard = (message: unknown) => {
      unsubscribe('net.server.socket', heard);
      resolve((message as { readonly socket: Socket }).socket);
    };
    subscribe('net.server.socket', heard);
  });
}

/** However it ends. */
function over(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** All that comes until the end of a connection. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  await over(socket.resume());
  return text;
}

const asking = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

const pages = {
  '/yes': { body: () => 'ok\n' },
  '/no': {
    body: () => {
      throw new Error('the caches are not filled yet');
    },
  },
  '/late': { contentType: 'text/x-late', body: () => Promise.resolve('late\n') },
};

describe('a page', () => {
  it.each([
    { code: 200, text: 'ok\n', path: '/yes' },
    { code: 200, text: 'ok\n', path: '/yes?verbose' },
    { code: 200, text: 'late\n', path: '/late' },
    { code: 503, text: 'the caches are not filled yet\n', path: '/no' },
    { code: 404, text: 'not found\n', path: '/other' },
    { code: 404, text: 'not found\n', path: '/constructor' },
  ])('R32 answers $code to $path', async ({ code, text, path }) => {
    server = await serve(0, pages);
    const response = await fetch(`http://localhost:${server.port}${path}`);
    expect([response.status, await response.text()]).toEqual([code, text]);
  });

  it('has its content type', async () => {
    server = await serve(0, pages);
    const response = await fetch(`http://localhost:${server.port}/late`);
    expect(response.headers.get('content-type')).toBe('text/x-late');
  });
});

describe('a server', () => {
  it('that cannot have its port says so', async () => {
    server = await serve(0, pages);
    await expect(serve(server.port, pages)).rejects.toThrow(
      `port ${server.port} is already in use: free it, or set --health-port`,
    );
  });

  it('answers no more after it is closed, also on open connections', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = () => {
      asked();
      return new Promise<string>(() => {});
    };
    const closing = await serve(0, { ...pages, '/never': { body: never } });
    await fetch(`http://localhost:${closing.port}/yes`);
    const hanging = expect(fetch(`http://localhost:${closing.port}/never`)).rejects.toThrow();
    await isAsked;
    await closing.close();
    await hanging;
    await expect(fetch(`http://localhost:${closing.port}/yes`)).rejects.toThrow();
  });
});

describe('a connection', () => {
  /** A page whose answers are numbered, and how many were made. */
  const counted = (length: number) => {
    const made = { now: 0, most: 0, all: 0 };
    const body = async () => {
      const number = ++made.all;
      made.most = Math.max(made.most, ++made.now);
      await new Promise(setImmediate);
      made.now--;
      return `${number}`.padEnd(length);
    };
    return { made, pages: { '/counted': { body } } };
  };

  it('R32 over which several requests come is answered one after the other, in their order', async () => {
    const { made, pages } = counted(1);
    server = await serve(0, pages);
    const socket = await connected();
    socket.write(asking('/counted').repeat(3) + asking('/counted', 'Connection: close\r\n'));
    const answers = (await received(socket)).split('HTTP/1.1 200 OK').slice(1);
    expect(answers.map((one) => /\r\n\r\n(?:1\r\n)?(.)/.exec(one)?.[1])).toEqual(['1', '2', '3', '4']);
    expect(made).toMatchObject({ all: 4, most: 1 });
  });

  it('R34 that asks far ahead is cut off, and costs no more than one answer', async () => {
    const { made, pages } = counted(1);
    server = await serve(0, pages);
    const socket = await connected();
    socket.write(asking('/counted').repeat(2_000));
    await received(socket);
    expect(made.all).toBeLessThanOrEqual(1);
  });

  it('R34 that does not read its answer is cut off', async () => {
    const length = 50_000_000; // more than the system keeps for it
    server = await serve(0, counted(length).pages, { patience: 100 });
    const [serving, socket] = [accepted(), await connected()];
    const cut = over(await serving);
    socket.write(asking('/counted', 'Connection: close\r\n'));
    await cut;
    expect((await received(socket)).length).toBeLessThan(length);
  });

  it('R34 that is the oldest of too many goes, and a new one is answered', async () => {
    server = await serve(0, pages);
    const oldest = await connected();
    const cut = over(oldest.resume());
    for (let n = 0; n < 32; n++) await connected();
    await cut;
    expect((await fetch(`http://127.0.0.1:${server.port}/yes`)).status).toBe(200);
  });
});
