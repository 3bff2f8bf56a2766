import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Pod } from '../../../../operator/engines/metrics/pods.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';

/** Pods of a test, each a server at an address of this machine; all of them at one port. */
export class GivenTellers {
  readonly #servers: Server[] = [];
  readonly pods: Pod[] = [];

  private constructor(readonly port: number) {}

  static async at(...listeners: readonly RequestListener[]): Promise<GivenTellers> {
    const tellers = new GivenTellers(await freePort());
    for (const listener of listeners) await tellers.add(listener);
    return tellers;
  }

  async add(listener: RequestListener): Promise<Pod> {
    const number = this.pods.length + 1;
    const server = createServer(listener);
    this.#servers.push(server);
    const address = `127.0.0.${number}`;
    server.listen(this.port, address);
    await once(server, 'listening');
    const pod = { name: `web-${number}`, uid: `uid-${number}`, address };
    this.pods.push(pod);
    return pod;
  }

  /** The address of the first, as a URL. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }
}

/** Answers `/metrics` with a text. */
export function telling(
  text: string | (() => string),
  type = 'text/plain; version=0.0.4; charset=utf-8',
): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(typeof text === 'string' ? text : text());
  };
}
