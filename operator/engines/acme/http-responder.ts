import { createServer, type Server } from 'node:http';
import type { AcmeChallenge } from '../../controllers/certificates/ports/acme.js';
import { BoundedMap } from './bounded-map.js';

const path = '/.well-known/acme-challenge/';

/** Responses that are remembered: those of an order with 100 names, ten times. */
const most = 1_000;

/**
 * Answers HTTP-01 challenges, for any host name: `http://<name>/.well-known/acme-challenge/<token>`. A route leads the requests
 * of a name here while its challenge is pending. It has nothing secret, and answers 404 to all other requests.
 *
 * The responses are in the memory of the leader. A new leader knows them after the first poll of an order.
 */
export class HttpResponder {
  readonly #responses = new BoundedMap<string>(most);

  /** Answers this challenge from now on. */
  add({ token, keyAuthorization }: Pick<AcmeChallenge, 'token' | 'keyAuthorization'>): void {
    this.#responses.set(token, keyAuthorization);
  }

  /** The response to a path of a URL. */
  responseTo(url: string): string | undefined {
    return url.startsWith(path) ? this.#responses.get(url.slice(path.length)) : undefined;
  }

  /** A server that is not listening yet. */
  server(): Server {
    return createServer((request, response) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const text = isRead ? this.responseTo(request.url ?? '') : undefined;
      response.statusCode = text === undefined ? 404 : 200;
      response.setHeader('Content-Type', 'text/plain');
      response.end(text ?? '');
    });
  }
}
