import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path answers: text for 200, an error's message for 503. */
export interface Page {
  readonly contentType?: string;
  /** @throws {Error} when the answer is no */
  readonly body: () => string | Promise<string>;
}

/**
 * Serves pages over HTTP to whoever asks.
 * @param port 0 for any that is free
 */
export async function serve(port: number, pages: Readonly<Record<string, Page>>): Promise<Listening> {
  const server = createServer((request, response) => {
    const page = new Map(Object.entries(pages)).get((request.url ?? '').split('?')[0] ?? '');
    const answer = (code: number, body: string) =>
      response.writeHead(code, { 'content-type': page?.contentType ?? 'text/plain; charset=utf-8' }).end(body);
    if (!page) {
      answer(404, 'not found\n');
      return;
    }
    Promise.resolve()
      .then(page.body)
      .then(
        (body) => answer(200, body),
        (error: Error) => answer(503, `${error.message}\n`),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(taken ? new Error(`port ${port} is taken: free it, or set another by the options`, { cause }) : cause);
    });
    server.listen(port, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
