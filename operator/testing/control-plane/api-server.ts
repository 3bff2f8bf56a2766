import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { CertifiedKey } from '../../certificates/authority.js';
import type { Flags } from './component-flags.js';
import type { RunningComponents } from './running-components.js';

const pollMs = 30;
const connectMs = 2_000; // who has taken the port may accept connections and say nothing

/** How an API server is started and asked whether it is ready. */
export interface ApiServerProps {
  readonly port: number;
  readonly flags: Flags;
  /** Certificate of the authority that signed the server's, PEM. */
  readonly authority: string;
  readonly admin: CertifiedKey;
  /** How long a start may take. */
  readonly timeoutSeconds: number;
}

/** The API server of a control plane: it can end and start again, with the same state, at the same address. */
export class ApiServer {
  /** Address, such as `https://127.0.0.1:23456`. */
  readonly url: string;
  readonly #components: RunningComponents;
  readonly #props: ApiServerProps;

  constructor(components: RunningComponents, props: ApiServerProps) {
    this.url = `https://127.0.0.1:${props.port}`;
    this.#components = components;
    this.#props = props;
  }

  /** Starts it and resolves when it is ready. */
  async start(): Promise<void> {
    this.#components.start('kube-apiserver', this.#props.flags);
    await this.untilFound('/readyz');
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#components.kill('kube-apiserver');
  }

  /**
   * Resolves when a GET of the path succeeds.
   *
   * @throws {Error} with the ends of the logs, when a component ends meanwhile, or the time is over
   */
  async untilFound(path: string): Promise<void> {
    const { authority, admin, timeoutSeconds } = this.#props;
    const connect = { ca: authority, cert: admin.certificate, key: admin.key, timeout: connectMs };
    const agent = new Agent({ connect });
    const deadline = Date.now() + timeoutSeconds * 1000;
    try {
      while (!(await succeeds(`${this.url}${path}`, agent))) {
        await this.#components.assertRunning();
        if (Date.now() > deadline) throw new Error(await this.#lateness(path));
        await pause(pollMs);
      }
    } finally {
      await agent.destroy();
    }
  }

  async #lateness(path: string): Promise<string> {
    const logs = await this.#components.lastLines();
    return `no success of GET ${path} within ${this.#props.timeoutSeconds} s; the logs end so:\n${logs}`;
  }
}

async function succeeds(url: string, dispatcher: Agent): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { dispatcher, headersTimeout: 5_000 });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false; // nobody listens yet, or somebody else does, whose certificate this authority did not sign
  }
}
