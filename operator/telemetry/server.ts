import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { certificateIn, follow } from './certificate.js';
import type { Admission, Guard } from './guard.js';

/** Connections at a time: each may hold an answer that nobody reads. */
const mostConnections = 32;

/** What a path answers: text for 200, an error's message for 503. */
export interface Page {
  readonly contentType?: string;
  /** @throws {Error} when the answer is no */
  readonly body: () => string | Promise<string>;
}

export interface Protection {
  /** A folder with `tls.crt` and `tls.key`. @default - no TLS */
  readonly tlsFolder?: string | undefined;
  /** Who may see the pages. @default - whoever asks */
  readonly guard?: Guard | undefined;
  /**
   * Milliseconds after which a connection over which nothing goes is cut; one that does not read its answer after twice
   * as many, since Node looks again where a write has begun.
   * @default 15_000
   */
  readonly patience?: number;
  /** Hears of new certificates that cannot be used. */
  readonly failed?: (error: unknown) => void;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

type Answer = readonly [code: number, body: string];

const refusals: Readonly<Record<Exclude<Admission, 'allowed'>, Answer>> = {
  unknown: [401, 'a token is needed that the API server knows\n'],
  forbidden: [403, 'the bearer of the token may not see this\n'],
};

/**
 * Serves pages over HTTP.
 * @param port 0 for any that is free
 */
export async function serve(
  port: number,
  pages: Readonly<Record<string, Page>>,
  { tlsFolder, guard, patience = 15_000, failed = () => {} }: Protection = {},
): Promise<Listening> {
  const served = new Map(Object.entries(pages));
  const listener = answerSequentially((request, response) => {
    const page = served.get((request.url ?? '').split('?')[0] ?? '');
    void answerOf(page, request, guard).then(([code, body]) => {
      const headers = { 'content-type': page?.contentType ?? 'text/plain; charset=utf-8' };
      response.writeHead(code, code === 401 ? { ...headers, 'www-authenticate': 'Bearer' } : headers).end(body);
    });
  });
  const tls = tlsFolder === undefined ? undefined : createTlsServer(certificateIn(tlsFolder), listener);
  const server = tls ?? createServer(listener);
  server.timeout = patience;
  server.on('connection', cutOldest());
  await listening(server, port);
  const unfollow = tls && tlsFolder !== undefined ? follow(tls, tlsFolder, failed) : () => {};
  const close = () => {
    unfollow();
    return closed(server);
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function answerOf(page: Page | undefined, { headers }: IncomingMessage, guard?: Guard): Promise<Answer> {
  try {
    const admission = (await guard?.admission(headers.authorization)) ?? 'allowed';
    if (admission !== 'allowed') return refusals[admission];
    return page ? [200, await page.body()] : [404, 'not found\n'];
  } catch (error) {
    return [503, `${(error as Error).message}\n`];
  }
}

/** Of too many connections the oldest one goes: a new one may be the kubelet's, who ends this process when it is kept out. */
function cutOldest(): (socket: Socket) => void {
  const open = new Set<Socket>();
  return (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > mostConnections) oldest?.destroy();
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      const advice = 'free it, or set --health-port and --metrics-port to others, or to 0 for none';
      reject(taken ? new Error(`port ${port} is taken: ${advice}`, { cause }) : cause);
    });
    server.listen(port, resolve);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Requests of one connection that wait for their answer, at the most. Who scrapes or probes sends one at a time. */
const mostWaiting = 8;

/** What a connection has asked, and was not answered yet. */
interface Asked {
  waiting: number;
  last: Promise<void>;
}

/**
 * Answers what comes over one connection one after the other: Node reads on while an answer is under way, and would have
 * all made at once, and kept for somebody who may not read them. Who asks far ahead is cut off.
 *
 * @param answer the same request is asked once, and never of a connection that is over
 */
function answerSequentially(answer: (request: IncomingMessage, response: ServerResponse) => void): RequestListener {
  const asked = new WeakMap<Socket, Asked>();
  return (request, response) => {
    const { socket } = request;
    const known = asked.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    asked.set(socket, known);
    known.waiting++;
    if (known.waiting > mostWaiting) return void socket.destroy();
    known.last = known.last.then(async () => {
      if (!socket.destroyed) {
        const over = new Promise((resolve) => response.once('close', resolve)); // read by the other side, or cut off
        answer(request, response);
        await over;
      }
      known.waiting--;
    });
  };
}
