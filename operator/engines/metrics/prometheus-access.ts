import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import type { PrometheusAccess } from './prometheus.js';

/** Address and credentials of Prometheus. The files are read for each query, because they may be replaced. */
export interface PrometheusLocation {
  readonly url: string;
  /** File with the bearer token; empty for no authentication. */
  readonly tokenFile: string;
  /** File with the CA certificates to trust; empty for those of Node.js. */
  readonly caFile: string;
}

/** Access to Prometheus. Its connections are reused while the CA certificates stay the same. */
export class PrometheusWay {
  #known: { readonly ca: string | undefined; readonly agent: Agent } | undefined;

  constructor(readonly location: PrometheusLocation) {}

  /** @throws {Error} if a file cannot be read */
  async access(): Promise<PrometheusAccess> {
    const { url, tokenFile, caFile } = this.location;
    const [ca, token] = await Promise.all([contentOf(caFile), contentOf(tokenFile)]);
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token.trim()}` }) };
    return { url: new URL(url), dispatcher: this.#agentFor(ca), headers };
  }

  async close(): Promise<void> {
    await this.#known?.agent.close();
  }

  #agentFor(ca: string | undefined): Agent {
    if (this.#known && this.#known.ca === ca) return this.#known.agent;
    void this.#known?.agent.close();
    const agent = new Agent({ connect: ca === undefined ? {} : { ca } });
    this.#known = { ca, agent };
    return agent;
  }
}

async function contentOf(file: string): Promise<string | undefined> {
  return file === '' ? undefined : readFile(file, 'utf8');
}
