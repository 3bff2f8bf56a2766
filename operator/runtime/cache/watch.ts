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

/** Milliseconds without a failure after which the backoff starts again: less than a dead watch takes to be detected. */
const healthyAfter = 60_000;
/** Milliseconds without a message, bookmarks included, after which a connection counts as dead. */
const deadAfter = 70_000;
/**
 * Milliseconds after which a kind that is not served counts as absent from the cluster, not as about to be installed.
 */
const absentAfter = 120_000;
/** The answers of a server that cannot stream the initial list, or permits only to list it. */
const unstreamed = ['Invalid', 'BadRequest', 'Forbidden', 'MethodNotAllowed'];
/** Milliseconds. A watch that ends earlier without a message has failed. Reopening it at once would be a busy loop. */
const soonest = 1_000;

export interface WatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** '' for all. */
  readonly namespace: string;
  readonly labelSelector?: string | undefined;
  /**
   * The objects that are kept whole. The metadata is enough for others. Any user can set our label on objects of any
   * size and number. @default - all
   */
  readonly keeps?: (object: LiveObject) => boolean;
  /**
   * Whether a kind that the operator may not list counts as one that is not served, and blocks nothing. @default false
   */
  readonly bearsRefusal?: boolean;
}

/**
 * Keeps a store in sync with one kind: the initial list, then its changes, until it is stopped. The initial list is
 * streamed at the start of the watch if the server can do so. Otherwise it is listed.
 *
 * Guarantees: the watch never stops retrying and reports every failure. It resumes at its last version after a lost
 * connection. It lists again if the server no longer has that version (410). It waits for a kind that is not served.
 */
export class Watch {
  readonly store: Store;
  readonly #options: WatchOptions;
  readonly #told = new Latch();
  readonly #known = new Latch();
  /** Resolves once the store holds the initial list. Waits for as long as the kind is not served. */
  readonly whenSynced = this.#told.whenReached;
  /** Resolves once the store has held the initial list, or the kind is {@link missing}. */
  readonly whenKnown = this.#known.whenReached;
  /** The last version. Undefined until the initial list is known, and after the server has dropped its history. */
  #version: string | undefined;
  /** False once the server has shown that it cannot stream the initial list. */
  #streams = true;
  #heard: number;
  /** Undefined until it runs: a server that was not asked is not silent. */
  #answered: number | undefined;
  /** The number of consecutive watches that were open and dead. */
  #deaths = 0;
  /** Consecutive failures, by cause. A different cause shows progress, so its backoff starts from the beginning. */
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

  /** True once the store has held the initial list. */
  get synced(): boolean {
    return this.#told.isReached;
  }

  /** True while the server does not serve the kind, or forbids to list a kind for which this is tolerated. */
  get missing(): boolean {
    return this.#missingSince !== undefined;
  }

  /** True from a refusal for lack of permission until the next message. */
  get refused(): boolean {
    return this.#refused;
  }

  /**
   * Milliseconds since the last message of the server: an object, a bookmark, a list, or that the kind does not exist.
   */
  get age(): number {
    return this.#options.clock.monotonic() - this.#heard;
  }

  /** Milliseconds since the last answer of the server, even if it was a refusal. */
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
   * Records that a server cannot stream the initial list: it reports so, or its stream never completes. A failure that
   * a list would also meet does not count.
   * @returns true if the server reports so and may be asked for a list at once
   */
  #refusesToStream(error: unknown): boolean {
    if (!this.#streams || this.#version !== undefined) return false;
    const says = isApiError(error, ...unstreamed);
    this.#streams = isApiError(error) && !says;
    return says;
  }

  /** Whether events can no longer bring the store up to date: the server reports so, or never sends any. */
  #hasForgotten(error: unknown): boolean {
    // A server that was restored from a backup has an older history, so a watch from the last version is silent.
    return isApiError(error, 'Expired', 'Gone') || this.#isAbsent(error) || this.#deaths > 1;
  }

  /** Whether an error means that this process cannot see any objects of the kind. */
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

  /** Stores the complete list as of a version. */
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

  /** Follows the changes until the server ends the watch, which is not a failure. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { cluster, clock, namespace, labelSelector } = this.#options;
    const vigil = new Watchdog(clock, deadAfter);
    // Spread out, so that the watches of one process, and of many, do not end at the same time.
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
        // Before the initial list is complete, a bookmark is no progress: a server that never completes it sends bookmarks too.
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
    if (this.#version === undefined) throw new Error('the watch ended before the initial list was complete');
    if (isSilent && clock.monotonic() - began < soonest) throw new Error('the watch ended at once without an event');
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

  /** The part of an object that is kept, and the length of its JSON as received. */
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
      // A quiet server may have no events for a kind without objects, so the first silence means nothing.
      const level = this.#deaths === 1 ? 'info' : isRefusal && this.#refused ? 'debug' : 'warn';
      telemetry.log[level](told, 'Watch failed, retrying');
      this.#refused ||= isRefusal;
    }
    await sleep(clock, wait, signal);
    this.#healthySince = clock.monotonic();
  }

  #backoff(error: unknown): Backoff {
    // A CRD that is being installed answers 429 for a moment. Its installer waits as before.
    if (!this.#isAbsent(error)) return this.missing ? missingBackoff : watchBackoff;
    const now = this.#options.clock.monotonic();
    const isAbsent = this.kind.optional || now - (this.#missingSince ?? now) > absentAfter;
    return isAbsent ? absentBackoff : missingBackoff;
  }

  /** The CRD or the permission is missing, not the connection, so the known objects are dropped. Logged once. */
  #absent(error: unknown): void {
    const { clock, telemetry, namespace } = this.#options;
    this.#news();
    if (this.missing) return;
    this.#missingSince = clock.monotonic();
    this.#known.reach();
    this.store.clear(namespace);
    const kind = groupKindOf(this.kind);
    telemetry.watchStateChanged({ kind, namespace, state: 'missing' });
    const level = this.kind.optional ? 'info' : 'warn'; // an optional kind is often missing, which is no mistake
    const why = isNotServed(error)
      ? 'API server does not serve the kind, waiting'
      : 'Permission to list the kind is missing, waiting';
    telemetry.log[level]({ kind, version: this.kind.version }, why);
  }
}
