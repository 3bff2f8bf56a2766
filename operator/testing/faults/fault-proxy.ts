import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { ClusterAccess } from '../control-plane/cluster-access.js';
import { freePort } from '../control-plane/free-port.js';
import { type Call, callOf } from './call.js';
import { disturbance, type Passage } from './disturbance.js';
import { type Fault, type FaultRule, type InjectedFault, statusOf } from './fault.js';
import { FaultPlan } from './fault-plan.js';
import { seededRandom } from './seeded-random.js';

/** What is special about a proxy. */
export interface FaultProxyOptions {
  /** Decides what rules with a probability meet. @default 1 */
  readonly seed?: number;
}

/** A request that is under way, and the connections that it takes. */
interface Underway extends Passage {
  readonly call: Call;
  readonly response: ServerResponse;
}

/**
 * Stands between a client and the API server of a control plane, and does to their conversation what networks and
 * servers do: delays, refusals, lost answers, watches that break or fall silent.
 *
 * Guarantees: without a rule everything passes as it is, watches as they come. A request that a rule refuses or loses
 * on its way never reaches the server; one that loses its answer was carried out. What the client gives up while it is
 * delayed is not sent on.
 *
 * Caveats: HTTP/1.1 only. A bearer token passes, a client certificate cannot.
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

  /** Starts one on a free port of this machine. */
  static async start(controlPlane: ClusterAccess, options: FaultProxyOptions = {}): Promise<FaultProxy> {
    const hosts = ['127.0.0.1', 'localhost'];
    const { certificate, key } = await controlPlane.issue({ commonName: 'fault-proxy', hosts });
    const authority = await readFile(controlPlane.caFile, 'utf8');
    const server = createServer({ cert: certificate, key });
    const proxy = new FaultProxy(controlPlane, server, await freePort(), { ...options, authority });
    await proxy.comeBack();
    return proxy;
  }

  /** Address of the proxy, to use instead of the API server's. */
  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** What was injected, in the order in which it was. */
  get diary(): readonly InjectedFault[] {
    return this.#diary;
  }

  /**
   * The same user, by way of this proxy. @returns a kubeconfig's path
   *
   * @throws {Error} when the user has a client certificate
   */
  async kubeconfig(path: string): Promise<string> {
    const config = parse(await readFile(path, 'utf8'));
    if (config.users.some(({ user }: { user: object }) => 'client-certificate-data' in user)) {
      throw new Error(`${path} has a client certificate, which no proxy can present: use one with a token`);
    }
    for (const { cluster } of config.clusters) cluster.server = this.url;
    const file = join(dirname(path), `by-proxy-${randomUUID()}.kubeconfig`);
    await writeFile(file, stringify(config), { mode: 0o600 });
    return file;
  }

  /** Lets requests meet a fault. @returns what ends that */
  inject(rule: FaultRule): () => void {
    return this.#plan.add(rule);
  }

  /** Ends all rules. Connections that are dead stay so. */
  heal(): void {
    this.#plan.clear();
  }

  /** Breaks every watch that is open. */
  cutWatches(): void {
    for (const one of this.#watches())
      this.#met(one.call, { kind: 'cut', afterEvents: 0 }, () => one.response.destroy());
  }

  /** Keeps every watch that is open open, and lets nothing through it any more. */
  freezeWatches(): void {
    for (const one of this.#watches()) {
      this.#met(one.call, { kind: 'freeze', afterEvents: 0 }, () => {
        one.frozen = true;
      });
    }
  }

  /** Breaks all connections and takes no more, until {@link comeBack}. */
  async goAway(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Takes connections again, at the same address. */
  async comeBack(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /**
   * Signs requests from now on with a User-Agent, by which the audit log tells one client from another of the same user.
   * @param userAgent undefined for the client's own
   */
  sign(userAgent: string | undefined): void {
    this.#userAgent = userAgent;
  }

  /** Ends it, and every connection through it. */
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
      response.socket?.destroySoon(); // what broke on the other side breaks here too, after what was said before
    } finally {
      this.#underway.delete(underway);
    }
  }

  async #pass(request: IncomingMessage, underway: Underway, fault: Fault | undefined): Promise<void> {
    const { response, closed } = underway;
    if (this.#userAgent !== undefined) request.headers['user-agent'] = this.#userAgent;
    const body = await buffer(request);
    if (fault?.kind === 'refuse') return refuse(response, fault);
    if (fault?.kind === 'lose' && fault.what === 'request') throw new Error('the request is lost');
    if (fault?.kind === 'delay') await pause(fault.before ?? 0);
    if (closed.aborted) return;
    const answer = await this.#ask(request, body, closed);
    if (fault?.kind === 'lose') {
      await buffer(answer);
      throw new Error('the answer is lost');
    }
    if (fault?.kind === 'delay') await pause(fault.after ?? 0);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders(); // a watch may have nothing to say for long
    for await (const piece of disturbance(answer, fault, underway)) {
      if (!response.write(piece)) await once(response, 'drain', { signal: closed });
    }
    response.end();
  }

  /** The server's answer, as soon as its head is there. */
  async #ask({ method, url, headers }: IncomingMessage, body: Buffer, closed: AbortSignal): Promise<IncomingMessage> {
    const target = new URL(url ?? '', this.controlPlane.url);
    const asking = request(target, { method, headers, agent: this.#agent });
    asking.on('error', () => {}); // once there is an answer, what breaks is told by that
    // Not by the request's own `signal`: the agent would tie the connection to it, which other requests use later.
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
