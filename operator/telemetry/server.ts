import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { certificateIn, follow } from './certificate.js';
import type { Admission, Guard } from './guard.js';

/** The maximum number of connections. Each may hold a response that the client does not read. */
const mostConnections = 32;

/** The response of a path: text with 200, or an error's message with 503. */
export interface Page {
  readonly contentType?: string;
  /** @throws {Error} to respond with 503 */
  readonly body: () => string | Promise<string>;
}

export interface Protection {
  /** A directory with `tls.crt` and `tls.key`. @default - no TLS */
  readonly tlsFolder?: string | undefined;
  /** Decides who may see the pages. @default - every client */
  readonly guard?: Guard | undefined;
  /**
   * Milliseconds after which an idle connection is closed. A connection that does not read its response is closed after
   * twice that, because Node.js checks again if a write has started.
   * @default 15_000
   */
  readonly patience?: number;
  /** Called for new certificates that cannot be used. */
  readonly failed?: (error: unknown) => void;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

type Answer = readonly [code: number, body: string];

const refusals: Readonly<Record<Exclude<Admission, 'allowed'>, Answer>> = {
  unknown: [401, 'a token that the API server accepts is required\n'],
  forbidden: [403, 'the bearer of the token has no permission\n'],
};

/**
 * Serves pages over HTTP.
 * @param port 0 for any free port
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
  const { port: at, close: closeServer } = await listen(server, port, patience);
  const unfollow = tls && tlsFolder !== undefined ? follow(tls, tlsFolder, failed) : () => {};
  const close = () => {
    unfollow();
    return closeServer();
  };
  return { port: at, close };
}

/**
 * Lets a server listen, with limits on its connections.
 * @param port 0 for any free port
 * @param patience milliseconds after which an idle connection is closed. @default 15_000
 */
export async function listen(server: Server, port: number, patience = 15_000): Promise<Listening> {
  server.timeout = patience;
  server.on('connection', cutOldest());
  await listening(server, port);
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
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

/**
 * If there are too many connections, the oldest one is closed. A new one may be the kubelet's, and a refused probe
 * would restart this process.
 */
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
      const advice =
        'free it, or set --health-port, --metrics-port and --acme-port to other ports, or to 0 to disable them';
      reject(taken ? new Error(`port ${port} is already in use: ${advice}`, { cause }) : cause);
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

/** The maximum number of waiting requests of one connection. A scraper or a probe sends one at a time. */
const mostWaiting = 8;

/** The unanswered requests of a connection. */
interface Asked {
  waiting: number;
  last: Promise<void>;
}

/**
 * Answers the requests of one connection one after the other. Node.js reads on while a response is in progress. It
 * would compute all responses at once and buffer them for a client that may not read them. A client that sends too many
 * requests ahead is disconnected.
 *
 * @param answer called once for a request, and never for a closed connection
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
        const over = new Promise((resolve) => response.once('close', resolve)); // read by the client, or closed
        answer(request, response);
        await over;
      }
      known.waiting--;
    });
  };
}
