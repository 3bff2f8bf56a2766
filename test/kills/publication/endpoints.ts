import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { runShell } from '../../e2e/cluster/kubectl.js';

/** Where the servers of endpoints listen, as those of Pods do. */
export const endpointPort = 8080;

/** Addresses of this machine alone, in a network for tests. */
const addressOf = (index: number) => `198.18.53.${index + 1}`;

/** HTTP servers with an address each, which start and end as Pods do. */
export class Endpoints {
  readonly #serving = new Map<string, Server>();

  private constructor(readonly addresses: readonly string[]) {}

  /** Gives this machine the addresses. It needs root. */
  static async give(count: number): Promise<Endpoints> {
    const addresses = Array.from({ length: count }, (_, index) => addressOf(index));
    for (const address of addresses) await runShell('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
    return new Endpoints(addresses);
  }

  /** The addresses whose servers run. */
  get serving(): readonly string[] {
    return [...this.#serving.keys()];
  }

  async start(address: string): Promise<void> {
    const headers = { 'x-version': address, connection: 'close' };
    const server = createServer((_, response) => response.writeHead(200, headers).end('ok'));
    server.listen(endpointPort, address);
    await once(server, 'listening');
    this.#serving.set(address, server);
  }

  /** From now on connections are refused. A request in progress is answered. */
  async stop(address: string): Promise<void> {
    const server = this.#serving.get(address);
    this.#serving.delete(address);
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.serving.map((address) => this.stop(address)));
    for (const address of this.addresses) await runShell('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
  }
}
