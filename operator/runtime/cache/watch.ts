import { linked } from '../concurrency/abort-signals.js';
import { absentBackoff, type Backoff, missingBackoff, waitAfter, watchBackoff } from '../concurrency/backoff.js';
import { Latch } from '../concurrency/latch.js';
import { Watchdog } from '../concurrency/watchdog.js';
import { isApiError, isNotServed, messageOf } from '../kubernetes/errors.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { partialOf } from '../kubernetes/partial-metadata.js';
import { allPages } from '../ports/all-pages.js';
import { type Clock, sleep } from '../ports/clock.js';
import type { Cluster, WatchEvent } from '../ports/cluster.js';
import type { Telemetry } from '../ports/telemetry.js';
import { InitialList } from './initial-list.js';
import type { Store } from './store.js';

/** Milliseconds without a failure after which the next wait is a short one again: less than a dead watch has lasted. */
const healthyAfter = 60_000;
/** Milliseconds without a word, bookmarks included, after which a connection counts as dead. */
const deadAfter = 70_000;
/** Milliseconds after which a kind that is not served counts as absent from the cluster, not as about to be installed. */
const absentAfter = 120_000;
/** What a server answers that cannot stream what there is, or lets us only list it. */
const unstreamed = ['Invalid', 'BadRequest', 'Forbidden', 'MethodNotAllowed'];
/** Milliseconds before which a watch that ends without a word has failed: opened again at once, it would spin. */
const soonest = 1_000;

export interface WatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** '' for all. */
  readonly namespace: string;
  readonly labelSelector?: string | undefined;
  /**
   * Objects of which more is kept than their metadata. Anybody may put our label on objects of his own, as large and as
   * many as he likes. @default - all
   */
  readonly keeps?: (object: LiveObject) => boolean;
  /** A kind that may not be seen counts as one that is not served, and keeps nobody waiting. @default false */
  readonly bearsRefusal?: boolean;
}

/**
 * Keeps a store in step with one kind: everything there is, then its news, for ever. What there is comes as the
 * beginning of the same stream where the server can do so, else as a list.
 *
 * Guarantees: never gives up and never fails in silence; goes on where it was after a lost connection, without asking
 * for everything again; asks again when the server no longer has the news (410); waits for a kind that is not served.
 */
export class Watch {
  readonly store: Store;
  readonly #options: WatchOptions;
  readonly #told = new Latch();
  readonly #known = new Latch();
  /** Resolves once the store holds everything there is. Waits for as long as the kind is not served. */
  readonly whenSynced = this.#told.whenReached;
  /** Resolves once it has held everything there is, or is {@link missing}. */
  readonly whenKnown = this.#known.whenReached;
  /** How far the news was followed; undefined while it is not known what there is, and when the server has forgotten. */
  #version: string | undefined;
  /** False once the server has shown that it cannot. */
  #streams = true;
  #heard: number;
  /** Undefined until it runs: who has not been asked is not silent. */
  #answered: number | undefined;
  /** Watches in a row that were open and dead. */
  #deaths = 0;
  /** In a row, by what went wrong: when another thing does, something has moved, and that is soon seen to its end. */
  readonly #failures = new Map<string, number>();
  #healthySince = 0;
  /** Since when the kind is {@link missing}. */
  #missingSince: number | undefined;
  #refused = false;

  constructor(store: Store, options: WatchOptions) {
    this.store = store;
    this.#options = options;
    this.#heard = options.clock.monotonic();
  }

  get kind(): ObjectKind {
    return this.store.kind;
  }

  /** '' for all. */
  get namespace(): string {
    return this.#options.namespace;
  }

  /** True once the store has held everything there is. */
  get synced(): boolean {
    return this.#told.isReached;
  }

  /** True while the server does not serve the kind, or does not show it to whom that need not trouble. */
  get missing(): boolean {
    return this.#missingSince !== undefined;
  }

  /** True from a refusal, for want of a right, until there is news. */
  get refused(): boolean {
    return this.#refused;
  }

  /** Milliseconds since the server last said something: an object, a bookmark, a list, or that there is no such kind. */
  get age(): number {
    return this.#options.clock.monotonic() - this.#heard;
  }

  /** Milliseconds since the server last answered at all, were it with a refusal. */
  get silence(): number {
    const now = this.#options.clock.monotonic();
    return now - (this.#answered ?? now);
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(until: AbortSignal): Promise<void> {
    const { signal } = linked(until);
    this.#answered = this.#options.clock.monotonic();
    while (!signal.aborted) {
      try {
        if (this.#version === undefined && !this.#streams) await this.#list(signal);
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isApiError(error) && error.code > 0) this.#answered = this.#options.clock.monotonic();
        if (this.#refusesToStream(error)) continue;
        if (this.#hasForgotten(error)) this.#version = undefined;
        await this.#waitOut(error, signal);
      }
    }
  }

  /**
   * Takes note of a server that cannot stream what there is: one that says so, or that never comes to the end of it. A
   * failure that a list would meet too is none of these.
   * @returns true for one that says so, which may be asked for a list at once
   */
  #refusesToStream(error: unknown): boolean {
    if (!this.#streams || this.#version !== undefined) return false;
    const says = isApiError(error, ...unstreamed);
    this.#streams = isApiError(error) && !says;
    return says;
  }

  /** Whether what is known can no longer be brought up to date by news: the server said so, or has none for ever. */
  #hasForgotten(error: unknown): boolean {
    // A history that was restored from a backup ends before what was told: a watch from there is silent.
    return isApiError(error, 'Expired', 'Gone') || this.#isAbsent(error) || this.#deaths > 1;
  }

  /** Whether an error says that there is nothing to be seen of the kind, as far as this process is concerned. */
  #isAbsent(error: unknown): boolean {
    return isNotServed(error) || (this.#options.bearsRefusal === true && isApiError(error, 'Forbidden'));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { cluster, namespace, labelSelector } = this.#options;
    const arriving = new InitialList();
    let version = '';
    for await (const page of allPages({ cluster, kind: this.kind }, { namespace, labelSelector, signal })) {
      this.#answered = this.#options.clock.monotonic();
      const bytes = page.bytes / page.items.length;
      for (const object of page.items) arriving.add(...this.#kept(object, bytes));
      version = page.resourceVersion;
    }
    this.#filled(arriving, version);
  }

  /** Takes in everything there is, as of a version. */
  #filled(arrived: InitialList, version: string): void {
    const { namespace, telemetry } = this.#options;
    arrived.fill(this.store, version, namespace);
    this.#version = version;
    this.#news();
    this.#missingSince = undefined;
    telemetry.watchStateChanged({ kind: groupKindOf(this.kind), namespace, state: 'synced' });
    this.#told.reach();
    this.#known.reach();
  }

  /** Follows the news until the server ends the watch, which is not a failure. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { cluster, clock, namespace, labelSelector } = this.#options;
    const vigil = new Watchdog(clock, deadAfter);
    // Spread out, so that the watches of a process, and of many, do not all end at once.
    const timeoutSeconds = Math.round(300 * (1 + clock.random()));
    const both = linked(signal, vigil.signal);
    const began = clock.monotonic();
    const arriving = new InitialList();
    let isSilent = true;
    try {
      const asked = {
        namespace,
        labelSelector,
        resourceVersion: this.#version,
        timeoutSeconds,
        isKnown: (version: string) => this.#version !== undefined && this.store.isOwn(version),
        signal: both.signal,
      };
      for await (const event of cluster.watch(this.kind, asked)) {
        // Until it is known what there is, a bookmark is no progress: it comes also from a server that never tells.
        if (this.#version === undefined && event.type === 'BOOKMARK') continue;
        vigil.heard();
        isSilent = false;
        if (this.#version === undefined) this.#gather(event, arriving);
        else this.#tell(event);
        this.#news();
      }
    } finally {
      vigil.end();
      both.release();
      this.#deaths = isSilent && vigil.signal.aborted ? this.#deaths + 1 : 0;
    }
    if (this.#version === undefined) throw new Error('the stream ended before it had told everything there is');
    if (isSilent && clock.monotonic() - began < soonest) throw new Error('the watch ended at once, without a word');
  }

  #gather(event: WatchEvent, arriving: InitialList): void {
    if (!('object' in event)) this.#filled(arriving, event.resourceVersion);
    else if (event.type === 'DELETED') arriving.remove(event.object);
    else arriving.add(...this.#kept(event.object, event.bytes));
  }

  #tell(event: WatchEvent): void {
    const { namespace } = this.#options;
    if ('object' in event) {
      const [object, bytes] = this.#kept(event.object, event.bytes);
      this.store.told(event.type, object, namespace);
      this.store.weigh(keyOf(object.metadata), bytes);
      this.#version = event.object.metadata.resourceVersion;
    } else if (event.type === 'KNOWN') {
      this.store.echoed(event.resourceVersion, namespace);
      this.#version = event.resourceVersion;
    } else {
      this.store.reached(event.resourceVersion, namespace);
      this.#version = event.resourceVersion;
    }
  }

  /** What is kept of an object, and how long its JSON was as it came. */
  #kept(object: LiveObject, bytes: number): [LiveObject, number] {
    if (this.#options.keeps?.(object) ?? true) return [object, bytes];
    const part = partialOf(object);
    return [part, JSON.stringify(part).length];
  }

  #news(): void {
    const now = this.#options.clock.monotonic();
    this.#heard = now;
    this.#answered = now;
    this.#refused = false;
  }

  async #waitOut(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, telemetry, namespace } = this.#options;
    const kind = groupKindOf(this.kind);
    if (clock.monotonic() - this.#healthySince > healthyAfter) this.#failures.clear();
    const cause = isApiError(error) ? error.reason : '';
    const failures = (this.#failures.get(cause) ?? 0) + 1;
    this.#failures.set(cause, failures);
    const asked = isApiError(error) ? error.retryAfter : undefined;
    const wait = Math.max(waitAfter(failures, this.#backoff(error), clock.random()), asked ?? 0);
    if (this.#isAbsent(error)) this.#absent(error);
    else {
      telemetry.watchStateChanged({ kind, namespace, state: 'down' });
      const told = { kind, namespace, error: messageOf(error), retryAfter: asked, wait: Math.round(wait) };
      const isRefusal = isApiError(error, 'Forbidden');
      // Of a kind without objects a quiet server may have nothing to say: the first silence means nothing.
      const level = this.#deaths === 1 ? 'info' : isRefusal && this.#refused ? 'debug' : 'warn';
      telemetry.log[level](told, 'Watch failed, retrying');
      this.#refused ||= isRefusal;
    }
    await sleep(clock, wait, signal);
    this.#healthySince = clock.monotonic();
  }

  #backoff(error: unknown): Backoff {
    // A definition that is being installed is refused with 429 for a moment; whoever installs it waits as before.
    if (!this.#isAbsent(error)) return this.missing ? missingBackoff : watchBackoff;
    const now = this.#options.clock.monotonic();
    const isAbsent = this.kind.optional || now - (this.#missingSince ?? now) > absentAfter;
    return isAbsent ? absentBackoff : missingBackoff;
  }

  /** The definition is missing, or the right, not the connection: what was known is gone with it. Said once. */
  #absent(error: unknown): void {
    const { clock, telemetry, namespace } = this.#options;
    this.#news();
    if (this.missing) return;
    this.#missingSince = clock.monotonic();
    this.#known.reach();
    this.store.clear(namespace);
    const kind = groupKindOf(this.kind);
    telemetry.watchStateChanged({ kind, namespace, state: 'missing' });
    const level = this.kind.optional ? 'info' : 'warn'; // what is optional is often missing, and nobody's mistake
    const why = isNotServed(error) ? 'does not serve this kind' : 'does not let this kind be seen';
    telemetry.log[level]({ kind, version: this.kind.version }, `the API server ${why}, waiting for it`);
  }
}
