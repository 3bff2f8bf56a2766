import { connect } from 'node:net';
import { listed } from '../cluster/api.js';
import { EndpointSlice } from '../cluster/kinds.js';
import { type ClientOptions, CountingClient, type Period } from './counting-client.js';

/** A counting client on this machine, which calls the addresses behind a Service as a load balancer does. */
export class OutsideClient {
  readonly #periods: Period[] = [];
  readonly #timer: NodeJS.Timeout;

  private constructor(readonly clients: readonly CountingClient[]) {
    this.#timer = setInterval(() => this.#take(), 1000);
  }

  /**
   * Starts one, with its rate over all addresses together.
   * @returns undefined when this machine reaches no pods, as most do not
   */
  static async start(
    service: { readonly namespace: string; readonly name: string },
    options: Omit<ClientOptions, 'url'>,
  ): Promise<OutsideClient | undefined> {
    const { namespace, name } = service;
    const slices = await listed(EndpointSlice, { namespace, labelSelector: `kubernetes.io/service-name=${name}` });
    const addresses = slices.flatMap(({ ports, endpoints = [] }) => {
      const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
      return ready.flatMap(({ addresses: [host = ''] }) => ({ host, port: ports?.[0]?.port ?? 0 }));
    });
    const reached = await Promise.all(addresses.map(reaches));
    if (addresses.length === 0 || reached.includes(false)) return undefined;
    const headers = { ...options.headers, Host: `${name}.${namespace}` };
    const rate = options.rate / addresses.length;
    const urls = addresses.map(({ host, port }) => `http://${host}:${port}/`);
    return new OutsideClient(urls.map((url) => new CountingClient({ ...options, url, headers, rate })));
  }

  /** What it has counted until about a second ago. */
  async periods(): Promise<readonly Period[]> {
    return this.#periods;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.clients.map((client) => client.stop()));
    this.#take();
  }

  #take(): void {
    this.#periods.push(...this.clients.map((client) => client.take()));
  }
}

function reaches({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
