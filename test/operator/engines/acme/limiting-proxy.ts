import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AcmeServer } from '../../../../operator/controllers/certificates/ports/acme.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import type { Pebble } from './pebble-server.js';

/** An error response of the proxy, instead of the server's. */
export interface Limit {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** A proxy in front of a Pebble that answers some requests itself. */
export class LimitingProxy implements AsyncDisposable {
  /** Decides about each request by its method and path. @default - all reach the server */
  limit: (method: string, path: string) => Limit | undefined = () => undefined;
  /** Methods and paths of the requests, the oldest first. */
  readonly requests: string[] = [];

  private constructor(
    readonly server: AcmeServer,
    private readonly listener: Server,
  ) {}

  static async start({ server, authority }: Pebble): Promise<LimitingProxy> {
    const { certificate: cert, key } = await authority.issue({ commonName: 'proxy', hosts: ['localhost'] });
    const port = await freePort();
    const listener = createServer({ cert, key });
    const proxy = new LimitingProxy({ ...server, directory: `https://localhost:${port}/dir` }, listener);
    const target = new URL(server.directory);
    listener.on('request', (incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      proxy.requests.push(`${method} ${url.split('/')[1]}`);
      const limit = proxy.limit(method, url);
      if (limit) {
        outgoing.writeHead(limit.status, { 'content-type': 'application/problem+json', ...limit.headers });
        outgoing.end(JSON.stringify(limit.body));
        return;
      }
      // The server names itself as the request does.
      const to = { host: 'localhost', port: target.port, method, path: url, headers, ca: server.caBundle };
      const forwarded = request(to, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    await once(listener.listen(port, 'localhost'), 'listening');
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.listener.closeAllConnections();
    this.listener.close();
  }
}
