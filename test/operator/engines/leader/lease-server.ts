import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { Lease } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { overVersion } from '../../../../operator/runtime/ports/cluster.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';

/** The users of an election. */
export const candidateUser = 'system:serviceaccount:shop:cache-candidate';
export const operatorUser = 'system:serviceaccount:reconstruct:reconstruct';

/** A token in the form of a JWT, which {@link LeaseServer} accepts. */
export function tokenOf(user: string): string {
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  const claims = { sub: user, aud: 'reconstruct.dev/leader', exp };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signed`;
}

/** The part of an API server that one launcher uses, over a cluster in memory. It can be cut off. */
export class LeaseServer {
  #isCut = false;
  readonly #server: Server;

  private constructor(readonly memory: MemoryCluster) {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(memory: MemoryCluster): Promise<LeaseServer> {
    const server = new LeaseServer(memory);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests hang from now on, as in a partition of the network. */
  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    this.#server.closeAllConnections();
  }

  end(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isCut) return;
    const text = Buffer.concat(await request.toArray()).toString();
    const { status, body } = await this.#handled(request.method ?? '', request.url ?? '', text).catch(
      (error: unknown) => ({
        status: isApiError(error, 'Conflict') ? 409 : 500,
        body: { message: String(error) },
      }),
    );
    if (this.#isCut) return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #handled(
    method: string,
    url: string,
    text: string,
  ): Promise<{ readonly status: number; readonly body: object }> {
    if (url.endsWith('/tokenreviews')) return { status: 201, body: { status: reviewed(text) } };
    if (url.endsWith('/subjectaccessreviews')) {
      const { user } = (JSON.parse(text) as { spec: { user: string } }).spec;
      return { status: 201, body: { status: { allowed: user === operatorUser } } };
    }
    const [, namespace = '', name = ''] = /namespaces\/([^/]+)\/leases\/([^/]+)$/.exec(url) ?? [];
    if (method === 'PUT') return { status: 200, body: await this.#updated(JSON.parse(text) as LiveObject) };
    const lease = await this.memory.read(Lease, { namespace, name });
    return lease ? { status: 200, body: lease } : { status: 404, body: { message: 'not found' } };
  }

  #updated(lease: LiveObject): Promise<LiveObject> {
    const { namespace = '', name, annotations } = lease.metadata;
    return this.memory.patch(
      Lease,
      { namespace, name },
      [
        overVersion(lease),
        { op: 'add', path: '/spec', value: (lease as { readonly spec?: object }).spec },
        ...(annotations ? [{ op: 'add' as const, path: '/metadata/annotations', value: annotations }] : []),
      ],
      { manager: 'leader-launcher' },
    );
  }
}

function reviewed(text: string): object {
  const { token } = (JSON.parse(text) as { spec: { token: string } }).spec;
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string;
      aud: string;
    };
    return { authenticated: true, audiences: [claims.aud], user: { username: claims.sub } };
  } catch {
    return { authenticated: false };
  }
}
