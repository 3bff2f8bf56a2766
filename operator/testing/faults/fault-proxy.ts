import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseYaml } from '../../yaml/parse-yaml.js';
import { stringifyYaml } from '../../yaml/stringify-yaml.js';
import '../control-plane/async-disposable.js';
import type { ClusterAccess } from '../control-plane/cluster-access.js';
import { freePort } from '../control-plane/free-port.js';
import { type Call, callOf } from './call.js';
import { disturbance, type Passage } from './disturbance.js';
import { type Fault, type FaultRule, type InjectedFault, statusOf } from './fault.js';
import { FaultPlan } from './fault-plan.js';
import { seededRandom } from './seeded-random.js';

/** Options of a proxy. */
export interface FaultProxyOptions {
  /** Seed for rules with a probability. @default 1 */
  readonly seed?: number;
}

/** A running request and its connections. */
interface Underway extends Passage {
  readonly call: Call;
  readonly response: ServerResponse;
}

/**
 * A proxy between a client and the API server of a control plane. It injects the faults of networks and servers: delays,
 * refusals, lost responses, and watches that break or become silent.
 *
 * Guarantees: without a rule, all traffic passes unchanged and watches are not buffered. A request that a rule refuses or
 * loses never reaches the server. A request whose response is lost was carried out. If the client cancels a request
 * during its delay, the proxy does not forward it.
 *
 * Caveats: HTTP/1.1 only. Bearer tokens pass, client certificates do not.
 *
 * @example
 * await using proxy = await FaultProxy.start(controlPlane);
 * const KUBECONFIG = await proxy.kubeconfig(await controlPlane.serviceAccountKubeconfig(account));
 * proxy.inject({ verb: 'create', resource: 'services', times: 1, fault: { kind: 'lose', what: 'answer' } });
 */
export class FaultProxy implements AsyncDisposable {
  readonly #plan: FaultPlan;
  readonly #sockets = new Set<Socket>();
  readonly #underway = new Set<Underway>();
  readonly #diary: InjectedFault[] = [];
  readonly #began = performance.now();
  readonly #agent: Agent;
  #userAgent: string | undefined;

  private constructor(
    readonly controlPlane: ClusterAccess,
    readonly server: Server,
    readonly port: number,
    { seed = 1, authority }: FaultProxyOptions & { readonly authority: string },
  ) {
    this.#plan = new FaultPlan(seededRandom(seed));
    this.#agent = new Agent({ ca: authority, keepAlive: true });
    server.on('request', (request, response) => void this.#serve(request, response));
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Starts a proxy on a free port of this machine. */
  static async start(controlPlane: ClusterAccess, options: FaultProxyOptions = {}): Promise<FaultProxy> {
    const hosts = ['127.0.0.1', 'localhost'];
    const { certificate, key } = await controlPlane.issue({ commonName: 'fault-proxy', hosts });
    const authority = await readFile(controlPlane.caFile, 'utf8');
    const server = createServer({ cert: certificate, key });
    const proxy = new FaultProxy(controlPlane, server, await freePort(), { ...options, authority });
    await proxy.comeBack();
    return proxy;
  }

  /** URL of the proxy, to use instead of that of the API server. */
  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The injected faults, in order. */
  get diary(): readonly InjectedFault[] {
    return this.#diary;
  }

  /**
   * Creates a kubeconfig for the same user through this proxy. @returns path of the kubeconfig
   *
   * @throws {Error} if the user has a client certificate
   */
  async kubeconfig(path: string): Promise<string> {
    const config = parseYaml(await readFile(path, 'utf8'));
    if (config.users.some(({ user }: { user: object }) => 'client-certificate-data' in user)) {
      throw new Error(`${path} has a client certificate, which a proxy cannot present; use a kubeconfig with a token`);
    }
    for (const { cluster } of config.clusters) cluster.server = this.url;
    const file = join(dirname(path), `by-proxy-${randomUUID()}.kubeconfig`);
    await writeFile(file, stringifyYaml(config), { mode: 0o600 });
    return file;
  }

  /** Adds a rule that injects a fault. @returns a function that removes the rule */
  inject(rule: FaultRule): () => void {
    return this.#plan.add(rule);
  }

  /** Removes all rules. Dead connections stay dead. */
  heal(): void {
    this.#plan.clear();
  }

  /** Breaks every open watch. */
  cutWatches(): void {
    for (const one of this.#watches())
      this.#met(one.call, { kind: 'cut', afterEvents: 0 }, () => one.response.destroy());
  }

  /** Silences every open watch: the connection stays open, but no more data pass. */
  freezeWatches(): void {
    for (const one of this.#watches()) {
      this.#met(one.call, { kind: 'freeze', afterEvents: 0 }, () => {
        one.frozen = true;
      });
    }
  }

  /** Breaks all connections and accepts no more until {@link comeBack}. */
  async goAway(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Accepts connections again, at the same address. */
  async comeBack(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /**
   * Sets the User-Agent of all later requests, to distinguish clients of the same user in the audit log.
   * @param userAgent undefined for that of the client
   */
  sign(userAgent: string | undefined): void {
    this.#userAgent = userAgent;
  }

  /** Stops the proxy and closes its connections. */
  async stop(): Promise<void> {
    await this.goAway();
    this.#agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #watches(): Underway[] {
    return [...this.#underway].filter(({ call, frozen }) => call.verb === 'watch' && !frozen);
  }

  #met(call: Call, fault: Fault, act?: () => void): void {
    this.#diary.push({ ...call, at: performance.now() - this.#began, fault });
    act?.();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = callOf(request.method ?? '', request.url ?? '');
    const closed = new AbortController();
    const underway: Underway = { call, response, frozen: false, closed: closed.signal };
    response.once('close', () => closed.abort());
    this.#underway.add(underway);
    try {
      const fault = this.#plan.faultFor(call);
      if (fault) this.#met(call, fault);
      await this.#pass(request, underway, fault);
    } catch {
      response.socket?.destroySoon(); // a broken connection to the server breaks here too, after the data sent before
    } finally {
      this.#underway.delete(underway);
    }
  }

  async #pass(request: IncomingMessage, underway: Underway, fault: Fault | undefined): Promise<void> {
    const { response, closed } = underway;
    if (this.#userAgent !== undefined) request.headers['user-agent'] = this.#userAgent;
    const body = await buffer(request);
    if (fault?.kind === 'refuse') return refuse(response, fault);
    if (fault?.kind === 'lose' && fault.what === 'request') throw new Error('the request was lost');
    if (fault?.kind === 'delay') await pause(fault.before ?? 0);
    if (closed.aborted) return;
    const answer = await this.#ask(request, body, closed);
    if (fault?.kind === 'lose') {
      await buffer(answer);
      throw new Error('the response was lost');
    }
    if (fault?.kind === 'delay') await pause(fault.after ?? 0);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders(); // a watch may have no events for a long time
    for await (const piece of disturbance(answer, fault, underway)) {
      if (!response.write(piece)) await once(response, 'drain', { signal: closed });
    }
    response.end();
  }

  /** The response of the server, as soon as its headers have arrived. */
  async #ask({ method, url, headers }: IncomingMessage, body: Buffer, closed: AbortSignal): Promise<IncomingMessage> {
    const target = new URL(url ?? '', this.controlPlane.url);
    const asking = request(target, { method, headers, agent: this.#agent });
    asking.on('error', () => {}); // after the response has started, the response reports errors
    // Without the `signal` option: the agent would bind it to the connection, which later requests reuse.
    closed.addEventListener('abort', () => asking.destroy());
    asking.end(body);
    const [answer] = await once(asking, 'response');
    return answer;
  }
}

function refuse(response: ServerResponse, { code, retryAfter }: Fault & { readonly kind: 'refuse' }): void {
  const after = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(code, { 'content-type': 'application/json', ...after });
  response.end(JSON.stringify(statusOf(code, retryAfter)));
}
