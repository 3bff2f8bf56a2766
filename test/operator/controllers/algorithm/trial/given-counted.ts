import type { Counters } from '../../../../../operator/controllers/algorithm/judgement/index.js';

/** How a version behaves, by its image. */
export interface Behaviour {
  /** The share of its requests that it answers with 500. @default 0 */
  readonly failing?: number;
  /** The share of its requests that take 200 ms; the others take 10 ms. @default 0 */
  readonly slow?: number;
  /** Its pods never become ready. @default false */
  readonly crashes?: boolean;
  /** Its pods become ready on trial, but not as the stable ones, whose rollout fails. @default false */
  readonly failsInPlace?: boolean;
}

type Backend = { codes: Record<string, number>; slow: number };

/** What proxies counted, by backend. */
export class Counted {
  readonly #backends = new Map<string, Backend>();

  requestsOf(service: string): number {
    return Object.values(this.#backends.get(service)?.codes ?? {}).reduce((sum, count) => sum + count, 0);
  }

  /** So many requests reach a version. */
  ask(service: string, requests: number, { failing = 0, slow = 0 }: Behaviour): void {
    const backend = this.#backends.get(service) ?? { codes: {}, slow: 0 };
    this.#backends.set(service, backend);
    backend.slow += Math.round(requests * slow);
    const asked = this.requestsOf(service) + requests;
    const failed = Math.round(requests * failing) + (asked % 7 === 0 && failing > 0 ? 1 : 0);
    backend.codes['500'] = (backend.codes['500'] ?? 0) + Math.min(requests, failed);
    backend.codes['200'] = (backend.codes['200'] ?? 0) + Math.max(0, requests - failed);
  }

  /** What a proxy tells of some of them together. */
  countersOf(services: readonly string[]): Counters {
    const codes: Record<string, number> = {};
    let slow = 0;
    for (const service of services) {
      const backend = this.#backends.get(service);
      slow += backend?.slow ?? 0;
      for (const [code, count] of Object.entries(backend?.codes ?? {})) codes[code] = (codes[code] ?? 0) + count;
    }
    const total = Object.values(codes).reduce((sum, count) => sum + count, 0);
    return { codes, latency: { bounds: [0.01, 0.05, 0.2], counts: [total - slow, 0, slow, 0] } };
  }
}
