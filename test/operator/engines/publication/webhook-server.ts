import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DnsEndpoint, WebhookRequest } from '../../../../operator/controllers/publication/ports/webhook.js';
import { adjusted, appliedTo, type ModelEndpoints } from './webhook-model.js';

const mediaType = 'application/external.dns.webhook+json;version=1';

/** How a server differs from one that does everything right. */
export interface WebhookFaults {
  /** A bearer token without which it answers nothing. */
  readonly token?: string;
  readonly mediaType?: string;
  /** The answer to a request, in place of the right one. */
  readonly answer?: (path: string) => { readonly status: number; readonly text: string } | undefined;
}

/** A server of external-dns' webhook protocol, with its paths, media type and statuses. */
export class WebhookServer {
  endpoints: ModelEndpoints = [];
  faults: WebhookFaults = {};
  /** Method and path of each request. */
  readonly received: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<WebhookServer> {
    const given = new WebhookServer();
    given.#server.listen(0, '127.0.0.1');
    await once(given.#server, 'listening');
    return given;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    this.received.push(`${method} ${path}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const other = this.faults.answer?.(path);
    const isAllowed = !this.faults.token || request.headers.authorization === `Bearer ${this.faults.token}`;
    if (other) return void response.writeHead(other.status).end(other.text);
    if (!isAllowed) return void response.writeHead(401).end(`no: ${request.headers.authorization}`);
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const answer = this.#answer(`${method} ${path}`, body);
    if (answer === undefined) return void response.writeHead(204).end();
    const headers = { 'content-type': this.faults.mediaType ?? mediaType, vary: 'Content-Type' };
    response.writeHead(200, headers).end(JSON.stringify(answer));
  }

  /** Undefined for a status without content. */
  #answer(what: string, body: unknown): unknown {
    switch (what) {
      case 'GET /':
        return { include: ['example.com'] };
      case 'GET /records':
        return this.endpoints.length > 0 ? this.endpoints : null;
      case 'POST /adjustendpoints':
        return (body as readonly DnsEndpoint[]).map(adjusted);
      case 'POST /records':
        this.endpoints = appliedTo(this.endpoints, body as Omit<WebhookRequest, 'url'>);
        return undefined;
      default:
        throw new Error(`no such path: ${what}`);
    }
  }
}
