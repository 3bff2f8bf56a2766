import { createHash } from 'node:crypto';
import type { NamesUpdate } from '../../dns/dns-names.js';
import type { DnsServer } from '../../dns/dns-records.js';
import { allowManyListeners } from '../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { DnsSession, type KeyedServer, validated } from './client.js';
import { tooLong } from './message.js';
import { canonicalName } from './names.js';
import { ResponseError } from './response-error.js';
import { addressOf, type ConnectOptions } from './tcp-exchange.js';
import type { TsigKey } from './tsig-key.js';
import { encodeUpdate } from './update.js';
import { messagesOf } from './update-messages.js';

/** Milliseconds for which a request waits for others that may share its message. */
const gathers = 50;

/** Results of a message that one of its updates can cause alone. */
const causedByOne: ReadonlySet<string> = new Set(['NXDOMAIN', 'YXDOMAIN', 'YXRRSET', 'NXRRSET', 'REFUSED', 'FORMERR']);
const prerequisites: ReadonlySet<string> = new Set(['NXDOMAIN', 'YXDOMAIN', 'YXRRSET', 'NXRRSET']);

/** One zone at one server, with the key for it. */
export interface ZoneAt {
  readonly to: DnsServer & { readonly key: TsigKey };
  readonly zone: string;
}

/** Whether the request of an update may still be sent. */
export interface UpdateCaller {
  readonly signal: AbortSignal;
  readonly mayLeave: () => void;
}

/** An update on its way. */
class QueuedUpdate {
  #settle: (error: unknown) => void = () => {};
  /** Resolves with the failure of the update, if it failed. */
  readonly result: Promise<unknown>;
  isSettled = false;

  constructor(
    readonly update: NamesUpdate,
    readonly caller: UpdateCaller,
  ) {
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The first changed name, for messages. */
  get name(): string {
    return this.update.changes[0]?.name ?? '';
  }

  settle(error?: unknown): void {
    this.isSettled = true;
    this.#settle(error);
  }

  /** @returns false if the update must not be sent any more. Then it is settled */
  mayLeave(): boolean {
    if (this.isSettled) return false;
    try {
      this.caller.signal.throwIfAborted();
      this.caller.mayLeave();
      return true;
    } catch (error) {
      this.settle(error);
      return false;
    }
  }
}

/**
 * Sends updates of many callers in few messages.
 *
 * Guarantees: a caller gets the failures of its own updates alone. If a message is refused because of one of its updates, the
 * others are sent again at once. Messages of one zone are sent one after the other, so that updates of one name stay in
 * their order. An update is sent at most once, except after the server has refused its message. None is sent after its
 * caller has aborted.
 */
export class UpdateBatches {
  readonly #queues = new Map<string, QueuedUpdate[]>();

  constructor(readonly options: Omit<ConnectOptions, 'signal'>) {}

  /**
   * Resolves when the server has accepted all updates.
   * @throws {CallError} that names the updates that it did not accept
   */
  async send(at: ZoneAt, updates: readonly NamesUpdate[], caller: UpdateCaller): Promise<void> {
    for (const update of updates)
      validated('terminal', () => void encodeUpdate({ zone: at.zone, ...withChanges(update) }, 0));
    caller.signal.throwIfAborted();
    const queued = updates.map((update) => new QueuedUpdate(update, caller));
    const key = zoneKey(at);
    const known = this.#queues.get(key);
    const queue = known ?? [];
    queue.push(...queued);
    if (!known) {
      this.#queues.set(key, queue);
      void this.#drain(key, at);
    }
    const results = await Promise.all(queued.map(async (one) => ({ name: one.name, error: await one.result })));
    const failed = results.filter(({ error }) => error !== undefined);
    if (failed.length > 0) throw failureOf(failed, failed.length < updates.length);
  }

  async #drain(key: string, at: ZoneAt): Promise<void> {
    const { clock } = this.options;
    for (;;) {
      await new Promise<void>((resolve) => void clock.after(gathers, resolve));
      const updates = this.#queues.get(key)?.splice(0) ?? [];
      if (updates.length === 0) break;
      await new BatchRun(at, this.options, updates).run();
    }
    this.#queues.delete(key);
  }
}

/** The messages of one batch, over one connection while it lasts. */
class BatchRun {
  readonly #ending = new AbortController();
  #session: DnsSession | undefined;
  #waiting: number;

  constructor(
    readonly at: ZoneAt,
    readonly options: Omit<ConnectOptions, 'signal'>,
    readonly updates: readonly QueuedUpdate[],
  ) {
    const signals = new Set(updates.map(({ caller }) => caller.signal));
    this.#waiting = signals.size;
    allowManyListeners(this.#ending.signal);
    for (const signal of signals) {
      const abort = () => {
        for (const one of updates) if (one.caller.signal === signal && !one.isSettled) one.settle(signal.reason);
        if (--this.#waiting === 0) this.#ending.abort(signal.reason);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true, signal: this.#ending.signal });
    }
  }

  async run(): Promise<void> {
    try {
      for (const message of messagesOf(this.updates, this.at.zone)) await this.#send(message);
    } catch (error) {
      for (const one of this.updates) one.settle(error);
    } finally {
      this.#session?.close();
      this.#ending.abort();
    }
  }

  async #send(message: readonly QueuedUpdate[]): Promise<void> {
    const session = await this.#opened(message);
    const leaving = session ? message.filter((one) => one.mayLeave()) : [];
    if (!session || leaving.length === 0) return;
    try {
      await session.update({
        zone: this.at.zone,
        requires: leaving.flatMap(({ update: { requires = [] } }) => requires),
        changes: leaving.flatMap(({ update }) => update.changes),
      });
      for (const one of leaving) one.settle();
    } catch (error) {
      if (leaving.length > 1 && isDivisible(error)) {
        const half = Math.ceil(leaving.length / 2);
        await this.#send(leaving.slice(0, half));
        await this.#send(leaving.slice(half));
        return;
      }
      for (const one of leaving) one.settle(error);
      if (!(error instanceof ResponseError)) this.#close();
    }
  }

  /** The connection, which is opened anew after it was lost. If that fails, nothing was sent. */
  async #opened(message: readonly QueuedUpdate[]): Promise<DnsSession | undefined> {
    if (this.#session) return this.#session;
    if (message.every(({ isSettled }) => isSettled)) return undefined;
    try {
      this.#session = await DnsSession.open(this.at.to, { ...this.options, signal: this.#ending.signal });
      return this.#session;
    } catch (error) {
      for (const one of this.updates) if (!one.isSettled) one.settle(error);
      return undefined;
    }
  }

  #close(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}

/** Whether halves of a message can have another result. */
function isDivisible(error: unknown): boolean {
  if (error instanceof ResponseError) return causedByOne.has(error.code);
  // Each update alone is valid, so that only their number is not.
  return error instanceof CallError && error.kind === 'terminal' && error.message.startsWith(tooLong);
}

/** Updates without changes would have no name. */
function withChanges(update: NamesUpdate): NamesUpdate {
  if (update.changes.length > 0) return update;
  throw new CallError('terminal', 'updates: Required value: each must have at least one change');
}

interface FailedUpdate {
  readonly name: string;
  readonly error: unknown;
}

/** Names in one message. */
const mostNames = 3;

/** @param hasOthers whether the server accepted others of the same request */
function failureOf(failed: readonly FailedUpdate[], hasOthers: boolean): unknown {
  const errors = failed.map(({ error }) => error);
  const other = errors.find((error) => !(error instanceof CallError));
  if (other !== undefined) return other;
  const all = errors.filter((error) => error instanceof CallError).map(ofPrerequisite);
  const kinds = ['unauthorized', 'unreachable', 'retryable', 'terminal'] as const;
  const kind = kinds.find((one) => all.some((error) => error.kind === one)) ?? 'retryable';
  const byMessage = new Map<string, string[]>();
  for (const { name, error } of failed) {
    const message = messageOf(error);
    byMessage.set(message, [...(byMessage.get(message) ?? []), ...(isOfName(error) ? [name] : [])]);
  }
  const message = [...byMessage].map(([text, names]) => (names.length > 0 ? `${listOf(names)}: ${text}` : text));
  return new CallError(kind, message.join('; '), {
    mayHaveEffect: hasOthers || all.some((error) => error.mayHaveEffect),
  });
}

/** Another answer leads to another request, but another answer may have come and gone. So it is not final. */
function ofPrerequisite(error: CallError): CallError {
  const isOne = error instanceof ResponseError && prerequisites.has(error.code);
  return isOne ? new CallError('retryable', error.message, { mayHaveEffect: false }) : error;
}

function isOfName(error: unknown): boolean {
  return error instanceof ResponseError && causedByOne.has(error.code);
}

function listOf(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Keys with other secrets are other keys, also in the time in which a Secret is replaced. */
export function zoneKey({ to, zone }: { readonly to: KeyedServer; readonly zone: string }): string {
  const where = [addressOf(to), validated('terminal', () => canonicalName(zone, 'zone'))];
  if (!to.key) return where.join(' ');
  const { name, algorithm, secret } = to.key;
  const fingerprint = createHash('sha256').update(secret.export()).digest('base64');
  return [...where, name, algorithm, fingerprint].join(' ');
}
