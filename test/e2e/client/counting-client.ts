import { lookup as systemLookup } from 'node:dns';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

// This file and main.ts run in pods, mounted from a ConfigMap: they import nothing but Node's own modules and each other.

/** Whom a client asks, and how. */
export interface ClientOptions {
  readonly url: string;
  /** Requests a second; each is sent at its time, whether those before it were answered or not. */
  readonly rate: number;
  /** Whether requests share connections; without, each opens one. */
  readonly keepAlive: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Finds the address of each new connection. Only for clients that are no JSON. @default - the lookup of Node.js */
  readonly lookup?: LookupFunction;
  /** Milliseconds that an answer may take. @default 10_000, twice the time after which a lost question for an address is repeated */
  readonly patience?: number;
  /** Called for each failure at once. Only for clients that are no JSON. @default - failures are in the periods alone */
  readonly onFailed?: (failed: Failed) => void;
}

/** A request without an answer, or with 4xx or 5xx. A proxy without a route answers 404. */
export interface Failed {
  /** When it was sent, milliseconds since 1970. */
  readonly at: number;
  /** The status, the error's code, or `late to` and what it waited for. */
  readonly why: string;
  /** The server that answered. Undefined without an answer or if a proxy answered. */
  readonly version?: string;
  /** The address that the name had. Undefined if none was looked up. */
  readonly address?: string;
}

/** What became of the requests that ended in a stretch of time. */
export interface Period {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Answers by version and status, such as `1.0.0 200`. The version is `-` if an answer names none. */
  readonly answers: Readonly<Record<string, number>>;
  /** When the last request that a version answered was sent, milliseconds since 1970. */
  readonly last: Readonly<Record<string, number>>;
  readonly failed: readonly Failed[];
  /** The most requests that were on their way at a time. */
  readonly flying: number;
}

/** The header with the version of a server. */
const versionHeader = 'x-version';
/** Milliseconds between two looks at what is due. */
const tick = 5;

/** Sends requests at a fixed rate, and counts every answer and every failure. */
export class CountingClient {
  readonly #agent: Agent;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #flying = 0;
  #landed: (() => void) | undefined;
  #period = emptyPeriod();

  constructor(readonly options: ClientOptions) {
    this.#agent = new Agent({ keepAlive: options.keepAlive });
    this.#timer = setInterval(() => this.#sendDue(), tick);
  }

  /** What has ended since this was called before. */
  take(): Period {
    const period = this.#period;
    this.#period = emptyPeriod();
    return { ...period, to: Date.now() };
  }

  /** Sends no more; resolves when every request has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#flying > 0) await new Promise<void>((resolve) => (this.#landed = resolve));
    this.#agent.destroy();
  }

  #sendDue(): void {
    const due = Math.floor(((performance.now() - this.#began) / 1000) * this.options.rate);
    for (; this.#sent < due; this.#sent++) void this.#send();
  }

  async #send(): Promise<void> {
    const at = Date.now();
    this.#flying++;
    this.#period.flying = Math.max(this.#period.flying, this.#flying);
    const outcome = await ask(this.options, this.#agent);
    this.#count(at, outcome);
    this.#flying--;
    if (this.#flying === 0) this.#landed?.();
  }

  #count(at: number, { status, version, why, address }: Outcome): void {
    const { answers, last, failed } = this.#period;
    if (why !== undefined) {
      const one: Failed = { at, why, ...(version && { version }), ...(address && { address }) };
      failed.push(one);
      this.options.onFailed?.(one);
    }
    if (status === undefined) return;
    const told = version ?? '-';
    const key = `${told} ${status}`;
    answers[key] = (answers[key] ?? 0) + 1;
    last[told] = Math.max(last[told] ?? 0, at);
  }
}

/** What became of one request: an answer, a failure, or with 4xx and 5xx both. */
interface Outcome {
  readonly status?: number;
  readonly version?: string;
  readonly why?: string;
  readonly address?: string;
}

function ask(
  { url, headers = {}, patience = 10_000, lookup = systemLookup as LookupFunction }: ClientOptions,
  agent: Agent,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patience);
    let address: string | undefined;
    const noted = notingLookup(lookup, (found) => (address = found));
    const sent = request(url, { agent, headers, signal, lookup: noted });
    const stage = stageOf(sent);
    const end = (outcome: Outcome) => resolve({ ...outcome, ...(address && { address }) });
    const fail = (error: Error) => end({ why: whyOf(error, stage()) });
    sent.once('error', fail);
    sent.once('response', (response) => {
      response.once('error', fail);
      response.once('end', () => end(outcomeOf(response)));
      response.resume();
    });
    sent.end();
  });
}

/** A lookup that notes the first address that it finds. */
function notingLookup(lookup: LookupFunction, note: (address: string | undefined) => void): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      note(Array.isArray(found) ? found[0]?.address : found);
      callback(error, found, family);
    });
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  const version = headers[versionHeader];
  return {
    status,
    ...(typeof version === 'string' && { version }),
    ...(status >= 400 && { why: String(status) }),
  };
}

function emptyPeriod() {
  const from = Date.now();
  return {
    from,
    answers: {} as Record<string, number>,
    last: {} as Record<string, number>,
    failed: [] as Failed[],
    flying: 0,
  };
}

/** `ECONNRESET`, `late to connect` … */
function whyOf(error: Error, stage: string): string {
  const code = 'code' in error ? String(error.code) : error.name;
  return code === 'ABORT_ERR' ? `late to ${stage}` : code;
}

/** What a request waits for: the address of whom it is for, a connection, or an answer. */
function stageOf(sent: ClientRequest): () => 'look up' | 'connect' | 'answer' {
  let stage: ReturnType<ReturnType<typeof stageOf>> = isIP(sent.host) > 0 ? 'connect' : 'look up';
  sent.once('socket', (socket) => {
    if (sent.reusedSocket) {
      stage = 'answer';
      return;
    }
    socket.once('lookup', () => (stage = 'connect'));
    socket.once('connect', () => (stage = 'answer'));
  });
  return () => stage;
}
