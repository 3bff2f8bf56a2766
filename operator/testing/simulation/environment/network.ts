import { linked } from '../../../runtime/concurrency/abort-signals.js';
import { isApiError, messageOf } from '../../../runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../../runtime/kubernetes/object.js';
import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  ListQuery,
  Page,
  PatchOperation,
  RemoveOptions,
  Seen,
  WatchEvent,
  WatchQuery,
  WriteOptions,
} from '../../../runtime/ports/cluster.js';
import type { History } from './history.js';
import type { SimulatedProcess } from './process.js';
import { described, type SimulatedRequest, type SimulatedServer } from './server.js';
import type { Weather } from './weather.js';

export interface NetworkOptions {
  readonly process: SimulatedProcess;
  readonly server: SimulatedServer;
  readonly weather: Weather;
  readonly history: History;
  /** Called for each request when it is sent. */
  readonly leaves: (request: SimulatedRequest, process: SimulatedProcess) => void;
}

/** The connection of one process to the API server, with delays and faults. */
export class SimulatedNetwork implements Cluster {
  constructor(readonly options: NetworkOptions) {}

  list(kind: ObjectKind, { signal, ...query }: ListQuery): Promise<Page> {
    return this.#send({ verb: 'list', kind }, { signal }, () => this.#memory.list(kind, query));
  }

  read(kind: ObjectKind, name: ObjectName, options: CallOptions = {}): Promise<LiveObject | undefined> {
    return this.#send({ verb: 'read', kind, name }, options, () => this.#memory.read(kind, name));
  }

  discover(kind: ObjectKind, options: CallOptions = {}): Promise<readonly string[]> {
    return this.#send({ verb: 'discover', kind }, options, () => this.#memory.discover(kind));
  }

  create(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject> {
    const send = () => this.#memory.create(kind, object, unhindered(options));
    return this.#send({ verb: 'create', kind, name: object.metadata }, options, send);
  }

  apply(kind: ObjectKind, object: Manifest, options: ApplyOptions): Promise<LiveObject> {
    const { subresource } = options;
    const send = () => this.#memory.apply(kind, object, unhindered(options));
    return this.#send({ verb: 'apply', kind, name: object.metadata, subresource }, options, send);
  }

  patch(
    kind: ObjectKind,
    name: ObjectName,
    patch: readonly PatchOperation[],
    options: WriteOptions,
  ): Promise<LiveObject> {
    const { subresource } = options;
    const send = () => this.#memory.patch(kind, name, patch, unhindered(options));
    return this.#send({ verb: 'patch', kind, name, subresource }, options, send);
  }

  remove(
    kind: ObjectKind,
    name: ObjectName,
    seen: Seen,
    { signal, mayLeave }: RemoveOptions = {},
  ): Promise<LiveObject | undefined> {
    const send = () => this.#memory.remove(kind, name, seen);
    return this.#send({ verb: 'remove', kind, name }, { signal, mayLeave }, send);
  }

  async *watch(kind: ObjectKind, { signal, ...query }: WatchQuery): AsyncGenerator<WatchEvent> {
    const { weather, process, history } = this.options;
    await this.#send({ verb: 'watch', kind }, { signal }, async () => undefined);
    const end = new AbortController();
    const either = linked(signal, end.signal);
    const cancel = process.time.after(query.timeoutSeconds * 1000, () => end.abort());
    try {
      for await (const event of this.#memory.watch(kind, { ...query, signal: either.signal })) {
        const fate = weather.fateOfWatch();
        await this.#wait(weather.lag(), signal);
        if (fate === 'ends') return;
        if (fate === 'goes silent') await this.#wait(Number.POSITIVE_INFINITY, signal);
        if (isApiError(fate)) throw fate;
        history.say(process.identity, heard(kind, event));
        yield event;
      }
      await this.#wait(weather.delay(), signal);
    } catch (error) {
      await this.#wait(weather.delay(), signal);
      if (!end.signal.aborted) throw error;
    } finally {
      cancel();
      either.release();
    }
  }

  get #memory() {
    return this.options.server.memory;
  }

  async #send<T>(request: SimulatedRequest, { signal, mayLeave }: CallOptions, carryOut: () => Promise<T>): Promise<T> {
    const { process, server, weather, history, leaves } = this.options;
    if (process.isDead) return never();
    signal?.throwIfAborted();
    mayLeave?.();
    history.say(process.identity, `→ ${described(request)}`);
    leaves(request, process);
    const fate = weather.fateOf(request);
    if (fate === 'dies before') {
      process.crash();
      return never();
    }
    if (fate === 'stands still') {
      history.say(process.identity, 'pauses');
      process.standStill(weather.pause());
    }
    const execute = () => {
      if (typeof fate === 'object' && 'refused' in fate) return Promise.reject(fate.refused);
      const answer = server.execute(request, process, carryOut);
      if (fate === 'dies after') process.crash();
      return typeof fate === 'object' ? answer.finally(() => Promise.reject(fate.lost)) : answer;
    };
    return this.#travel(request, execute, signal);
  }

  /** Sends a request and returns the response. A request that is cancelled on its way is lost or arrives anyway. */
  #travel<T>(request: SimulatedRequest, execute: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { process, weather, history } = this.options;
    return new Promise((resolve, reject) => {
      const answer = (what: string, settle: () => void) => {
        process.later(weather.delay(), () => {
          signal?.removeEventListener('abort', callOff);
          history.say(process.identity, `← ${described(request)}: ${what}`);
          settle();
        });
      };
      const arrive = () => {
        forget();
        execute().then(
          (value) => answer('done', () => resolve(value)),
          (error: Error) => answer(messageOf(error), () => reject(error)),
        );
      };
      const cancel = process.time.after(weather.delay(), arrive);
      const hang = () => {
        cancel();
        forget();
        if (weather.chance.happens(0.5)) execute().catch(() => {});
      };
      let isUnderWay = true;
      const unmourn = process.mourn(hang);
      const forget = () => {
        isUnderWay = false;
        unmourn();
      };
      const callOff = () => {
        if (isUnderWay) hang();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', callOff, { once: true });
    });
  }

  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { process } = this.options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason as Error);
      const callOff = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', callOff, { once: true });
      if (!Number.isFinite(ms)) return;
      process.later(ms, () => {
        signal?.removeEventListener('abort', callOff);
        resolve();
      });
    });
  }
}

function heard(kind: ObjectKind, event: WatchEvent): string {
  if ('resourceVersion' in event) return `  receives ${event.type}: ${kind.kind} is at ${event.resourceVersion}`;
  const { metadata } = event.object;
  return `  receives ${event.type} ${kind.kind} ${keyOf(metadata)} at ${metadata.resourceVersion}`;
}

/** A promise that never settles, for a dead process. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** Options of a write that was already sent. */
function unhindered<O extends WriteOptions>({
  signal: _,
  mayLeave: __,
  ...options
}: O): Omit<O, 'signal' | 'mayLeave'> {
  return options;
}
