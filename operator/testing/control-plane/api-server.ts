import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { CertifiedKey } from '../../certificates/authority.js';
import type { Flags } from './component-flags.js';
import type { RunningComponents } from './running-components.js';

const pollMs = 30;
const connectMs = 2_000; // another process on the port may accept connections without a response

/** Options for the start and the readiness checks of an API server. */
export interface ApiServerProps {
  readonly port: number;
  readonly flags: Flags;
  /** CA certificate of the server, PEM. */
  readonly authority: string;
  readonly admin: CertifiedKey;
  /** Timeout of a start, in seconds. */
  readonly timeoutSeconds: number;
}

/** The API server of a control plane. It can be killed and restarted with the same state at the same address. */
export class ApiServer {
  /** URL, such as `https://127.0.0.1:23456`. */
  readonly url: string;
  readonly #components: RunningComponents;
  readonly #props: ApiServerProps;

  constructor(components: RunningComponents, props: ApiServerProps) {
    this.url = `https://127.0.0.1:${props.port}`;
    this.#components = components;
    this.#props = props;
  }

  /** Starts the API server and resolves when it is ready. */
  async start(): Promise<void> {
    this.#components.start('kube-apiserver', this.#props.flags);
    await this.untilFound('/readyz');
  }

  /** Kills the API server with SIGKILL. */
  async kill(): Promise<void> {
    await this.#components.kill('kube-apiserver');
  }

  /**
   * Resolves when a GET of the path succeeds.
   *
   * @throws {Error} with the ends of the logs, if a component exits or the timeout expires
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
    return `GET ${path} did not succeed within ${this.#props.timeoutSeconds} s; ends of the logs:\n${logs}`;
  }
}

async function succeeds(url: string, dispatcher: Agent): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { dispatcher, headersTimeout: 5_000 });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false; // the server does not listen yet, or another process with another CA uses the port
  }
}
