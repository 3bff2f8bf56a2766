import { LineProcess } from '../../e2e/client/line-process.js';
import { runShell } from '../../e2e/cluster/kubectl.js';
import type { EndpointsCommand } from './endpoints-main.js';

/** Where the servers of endpoints listen, as those of Pods do. */
export const endpointPort = 8080;

/** Where `npm run kills` compiles the program of the servers to. */
const program = 'node_modules/.trials/test/kills/publication/endpoints-main.js';

/** Addresses of this machine alone, in a network for tests. */
const addressOf = (index: number) => `198.18.53.${index + 1}`;

/** HTTP servers with an address each, which start and end as Pods do, in a process of their own. */
export class Endpoints {
  readonly #process: LineProcess;
  readonly #waiting = new Map<string, () => void>();

  private constructor(readonly addresses: readonly string[]) {
    this.#process = new LineProcess([program, String(endpointPort)], (line) => {
      const done = JSON.stringify(line);
      this.#waiting.get(done)?.();
      this.#waiting.delete(done);
    });
  }

  /** Gives this machine the addresses. It needs root. */
  static async give(count: number): Promise<Endpoints> {
    const addresses = Array.from({ length: count }, (_, index) => addressOf(index));
    for (const address of addresses) await runShell('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
    return new Endpoints(addresses);
  }

  async start(address: string): Promise<void> {
    await this.#done({ start: address });
  }

  /** From now on connections are refused. Resolves when the requests in progress are answered. */
  async stop(address: string): Promise<void> {
    await this.#done({ stop: address });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    for (const address of this.addresses) await runShell('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
  }

  async #done(command: EndpointsCommand): Promise<void> {
    const done = new Promise<void>((resolve) => this.#waiting.set(JSON.stringify(command), resolve));
    this.#process.write(command);
    const failed = this.#process.ended.then((code) => {
      throw new Error(`the servers of endpoints ended with exit code ${code}`);
    });
    await Promise.race([done, failed]);
  }
}
