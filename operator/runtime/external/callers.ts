import { linked } from '../concurrency/abort-signals.js';
import type { Controller } from '../controller/controller.js';
import { FencedError, messageOf, OutdatedError } from '../kubernetes/errors.js';
import type { ObjectKey } from '../kubernetes/object.js';
import type { Term } from '../leader/lease-term.js';
import type { Clock } from '../ports/clock.js';
import { type Provided, providedAt, visibleWithinOf } from '../ports/external-port.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { DesiredCall } from '../rendering/external-call.js';
import { CallPort, type CallResult, type OutgoingCall } from './call-port.js';
import { CallRecords, type CallView } from './call-records.js';
import type { Pollers } from './pollers.js';
import { noSecrets, type SecretAccess } from './secret-access.js';

/** What the callers of one controller need. */
export interface CallersContext {
  readonly controller: Pick<Controller, 'name' | 'calls'>;
  /** The ports of the process. Controllers share their limits. */
  readonly ports: CallPorts;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly pollers: Pollers;
  /** @default - calls that name a Secret fail */
  readonly secrets?: SecretAccess;
  /** The current term. Undefined if this process does not lead. */
  readonly term: () => Term | undefined;
}

/** One resource. A resource that is deleted and recreated is another one. */
interface Subject {
  readonly key: ObjectKey;
  readonly uid: string;
}

/** What a reconcile adds to a call. */
interface Sending {
  readonly view: CallView;
  /** Proves that the resource is as it was observed. @throws {Error} if it is not */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  /** Receives the result of a call that was sent. */
  readonly heard: (result: CallResult) => void;
}

interface Kept {
  readonly uid: string;
  readonly records: CallRecords;
  /** True if no earlier process can have sent a call: this one added the finalizer that precedes the first call. */
  isFirst: boolean;
  cancelLook: () => void;
  /** No poll is asked anew earlier (monotonic). */
  notBefore: number;
}

/** The ports that controllers call, by their names. */
export class CallPorts {
  readonly #ports: ReadonlyMap<string, CallPort>;

  constructor(provided: readonly Provided[], clock: Clock) {
    const performing = provided.flatMap(({ port: { name } }) => {
      const performer = providedAt(name, provided)?.performer;
      return performer ? [[name, new CallPort(name, performer, clock)] as const] : [];
    });
    this.#ports = new Map(performing);
  }

  /** @throws {Error} if nothing performs the calls of a port */
  of(name: string, controller: string): CallPort {
    const port = this.#ports.get(name);
    if (port) return port;
    throw new Error(`controller ${controller} calls ${name}, which has no performer: pass one to provided() in ports`);
  }
}

/** Milliseconds between two looks at the same resource. */
const leastPause = 500;
/** Milliseconds until a call is tried again that could not be sent, unless an event triggers a reconcile earlier. */
const unsentRetry = 2_000;

/**
 * Sends the calls of one controller's resources, beside the reconciles: a slow port delays no reconcile.
 *
 * Guarantees: no call starts outside of the lease term, or after {@link close}. After a call, the polls that show its
 * effect are asked anew before the resource is reconciled because of the call. Nothing is held for a resource without
 * calls.
 */
export class Callers {
  readonly #kept = new Map<ObjectKey, Kept>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  readonly #underWay = new Set<Promise<void>>();
  #ending = new AbortController();
  #isOpen = false;
  #openedAt = 0;
  /** The same, in milliseconds since 1970. */
  #openedTime = 0;
  /**
   * Milliseconds within which the effect of any call of the controller shows. It follows from the declaration alone: a new
   * process must know it of a deleted resource for which it renders no call.
   */
  readonly visibleWithin: number;

  /** @throws {Error} if nothing performs the calls of a port that the controller declares */
  constructor(readonly context: CallersContext) {
    const { controller, ports } = context;
    for (const { name } of controller.calls) ports.of(name, controller.name);
    this.visibleWithin = Math.max(0, ...controller.calls.map(visibleWithinOf));
  }

  /** Calls the listener for each resource of which a call has ended, or is due. */
  listen(listener: (key: ObjectKey) => void): void {
    this.#listeners.add(listener);
  }

  /** What is remembered of the calls of a resource. */
  recordsOf({ key, uid }: Subject): CallRecords {
    const known = this.#kept.get(key);
    if (known?.uid === uid) return known.records;
    known?.cancelLook();
    const records = new CallRecords();
    this.#kept.set(key, { uid, records, isFirst: false, cancelLook: () => {}, notBefore: 0 });
    return records;
  }

  /** True if something is remembered of a resource. */
  knows({ key, uid }: Subject): boolean {
    return this.#kept.get(key)?.uid === uid;
  }

  /** Records that no earlier process can have sent a call for a resource. */
  noteFirst(subject: Subject): void {
    this.recordsOf(subject);
    const kept = this.#kept.get(subject.key);
    if (kept) kept.isFirst = true;
  }

  /** Until when calls of an earlier process may show their effect (monotonic). */
  inheritedUntil({ key }: Subject, visibleWithin: number): number {
    return this.#kept.get(key)?.isFirst ? Number.NEGATIVE_INFINITY : this.#openedAt + visibleWithin;
  }

  /** A monotonic time in milliseconds since 1970. Messages must not change with the drift between the two clocks. */
  timeOf(monotonic: number): number {
    return this.#openedTime + (monotonic - this.#openedAt);
  }

  unreachable({ port, request }: DesiredCall): ReturnType<CallView['unreachable']> {
    return this.context.ports.of(port, this.context.controller.name).unreachable(request);
  }

  /** Asks polls anew after some time, and has the resource reconciled then. Replaces the request before. */
  lookAgain({ key }: Subject, look: { readonly after: number; readonly polls: readonly string[] } | undefined): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    kept.cancelLook();
    kept.cancelLook = () => {};
    if (!look || !this.#isOpen) return;
    const { clock } = this.context;
    const refresh = () => {
      kept.notBefore = clock.monotonic() + leastPause;
      void this.#refresh(key, look.polls);
    };
    const after = Math.max(look.after, kept.notBefore - clock.monotonic());
    if (after > 0) kept.cancelLook = clock.after(after, refresh);
    else refresh();
  }

  /** Sends one call, unless this process does not lead. Returns at once. */
  send(subject: Subject, call: DesiredCall, sending: Sending): void {
    if (!this.#isOpen) return;
    this.recordsOf(subject).begin(call, this.context.clock.now());
    const sent = this.#send(subject, call, sending).finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }

  /** For a resource that is gone. */
  forget(key: ObjectKey): void {
    this.#kept.get(key)?.cancelLook();
    this.#kept.delete(key);
  }

  /** Starts sending. */
  open(): void {
    this.#isOpen = true;
    this.#ending = new AbortController();
    this.#openedAt = this.context.clock.monotonic();
    this.#openedTime = this.context.clock.now();
  }

  /** Sends nothing more and forgets everything. Resolves when no call is in progress. @param stop aborts those that are */
  async close(stop: AbortSignal): Promise<void> {
    this.#isOpen = false;
    for (const key of [...this.#kept.keys()]) this.forget(key);
    const abort = () => this.#ending.abort(stop.reason);
    if (stop.aborted) abort();
    stop.addEventListener('abort', abort, { once: true });
    await Promise.all(this.#underWay);
    stop.removeEventListener('abort', abort);
  }

  async #send({ key, uid }: Subject, call: DesiredCall, { view, prepare, heard }: Sending): Promise<void> {
    const { clock, controller, pollers, telemetry } = this.context;
    const records = this.recordsOf({ key, uid });
    const result = await this.#result(call, prepare, key);
    const ended = { at: clock.monotonic(), order: pollers.order() };
    if (!result) {
      records.withdraw(call);
      return this.lookAgain({ key, uid }, { after: unsentRetry, polls: call.refreshes });
    }
    const { error, outcome, seconds } = result;
    records.end(call, { ended, at: clock.now(), random: clock.random(), error, view });
    telemetry.called({ controller: controller.name, port: call.port, outcome, seconds });
    heard(result);
    if (this.knows({ key, uid })) await this.#refresh(key, call.refreshes);
  }

  async #result(
    call: DesiredCall,
    prepare: Sending['prepare'],
    key: ObjectKey,
  ): Promise<(CallResult & { readonly seconds: number }) | undefined> {
    const { clock, controller, ports, secrets = noSecrets, telemetry, term } = this.context;
    const current = term();
    const { signal, release } = linked(this.#ending.signal, current?.signal);
    const mayLeave = () => {
      if (!this.#isOpen || !current?.holds()) throw new FencedError('the lease term is over: no calls are allowed');
    };
    let began = clock.monotonic();
    const prepared = async () => {
      await prepare(signal);
      began = clock.monotonic();
    };
    const { request, timeout } = call;
    try {
      const port = ports.of(call.port, controller.name);
      const withSecret: OutgoingCall['withSecret'] = (use) =>
        secrets({ resource: key, name: call.secret, signal }, use);
      const result = await port.send({ request, timeout, signal, mayLeave, prepare: prepared, withSecret });
      return result && { ...result, seconds: (clock.monotonic() - began) / 1000 };
    } catch (error) {
      if (error instanceof FencedError || error instanceof OutdatedError) return undefined;
      const fields = { controller: controller.name, key, call: call.name, error: messageOf(error) };
      telemetry.log.warn(fields, 'External call was not sent, retrying');
      return undefined;
    } finally {
      release();
    }
  }

  async #refresh(key: ObjectKey, polls: readonly string[]): Promise<void> {
    await this.context.pollers.refresh(key, polls);
    if (this.#isOpen) for (const listener of this.#listeners) listener(key);
  }
}
