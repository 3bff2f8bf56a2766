import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import type { PrometheusAccess } from './prometheus.js';

/** Where a Prometheus is, and what it takes to be let in. Files are read for each query: they may be replaced. */
export interface PrometheusLocation {
  readonly url: string;
  /** Whose bearer is let in; empty for anybody. */
  readonly tokenFile: string;
  /** The authorities that its certificate may be of; empty for those of Node.js. */
  readonly caFile: string;
}

/** The way to a Prometheus, over connections that last as long as its authorities stay the same. */
export class PrometheusWay {
  #known: { readonly ca: string | undefined; readonly agent: Agent } | undefined;

  constructor(readonly location: PrometheusLocation) {}

  /** @throws {Error} when a file cannot be read */
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
