import type { LeaseQuestion } from '../../controllers/leader/ports/leases.js';
import { Lease } from '../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, nameOf, type ObjectKey } from '../../runtime/kubernetes/object.js';
import { type Clock, sleep } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';

/** A Lease that elections use. */
export type LiveLease = LiveObject & {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseTransitions?: number;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
};

/** What was observed of a Lease. */
interface Observed {
  /** Who holds it in which term. */
  readonly holding: string;
  readonly renewTime: string;
  /** When this content was observed first: monotonic, and in milliseconds since 1970. */
  readonly since: number;
  readonly date: number;
  /** Cancels the announcement of the end. */
  readonly cancel: () => void;
}

interface ObserverOptions {
  readonly cluster: Pick<Cluster, 'list' | 'watch'>;
  readonly clock: Pick<Clock, 'after' | 'monotonic' | 'now' | 'random'>;
}

/** The label of Leases of elections, as the construct of a LeaderElection renders it. */
const selector = 'reconstruct.dev/leader-election';
/** Milliseconds between two watches, and seconds of one. */
const [pause, watched] = [1_000, 300];
/** Seconds of a Lease without a duration. Its holder has never renewed it. */
const defaultDuration = 15;

/**
 * Observes the Leases of elections in the namespaces that were asked about.
 *
 * Guarantees: a Lease counts as unchanged from the moment at which this process has first received its content, never from a time
 * in it. An event of an old version can only make that moment later.
 */
export class LeaseObserver {
  readonly #observed = new Map<ObjectKey, Observed>();
  readonly #watches = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(question: LeaseQuestion) => void>();

  constructor(readonly options: ObserverOptions) {}

  /** Tells which Leases have another holder, or were not renewed in time. */
  announceTo(announce: (question: LeaseQuestion) => void, { signal }: { readonly signal: AbortSignal }): void {
    this.#listeners.add(announce);
    signal.addEventListener('abort', () => this.#listeners.delete(announce), { once: true });
  }

  /** Watches a namespace from now on. */
  follow(namespace: string): void {
    if (this.#watches.has(namespace) || this.#closing.signal.aborted) return;
    this.#watches.set(namespace, this.#watch(namespace));
  }

  /** Records a Lease. Returns when it expired, in milliseconds since 1970. Undefined if it has not. */
  note(lease: LiveLease): number | undefined {
    const { metadata, spec = {} } = lease;
    const key = keyOf(metadata as LeaseQuestion);
    const before = this.#observed.get(key);
    const holding = JSON.stringify([metadata.uid, spec.holderIdentity ?? '', spec.leaseTransitions ?? 0]);
    const { renewTime = '' } = spec;
    const now = this.options.clock.monotonic();
    if (before?.holding === holding && before.renewTime === renewTime) {
      const duration = durationOf(lease);
      return now - before.since > duration ? before.date + duration : undefined;
    }
    before?.cancel();
    const isHeld = (spec.holderIdentity ?? '') !== '';
    const cancel = isHeld
      ? this.options.clock.after(durationOf(lease) + 1, () => this.#announce(questionOf(key)))
      : () => {};
    this.#observed.set(key, { holding, renewTime, since: now, date: this.options.clock.now(), cancel });
    if (before && before.holding !== holding) this.#announce(questionOf(key));
    return undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const { cancel } of this.#observed.values()) cancel();
    await Promise.all(this.#watches.values());
  }

  #announce(question: LeaseQuestion): void {
    for (const announce of this.#listeners) announce(question);
  }

  #forget(key: ObjectKey): void {
    this.#observed.get(key)?.cancel();
    if (this.#observed.delete(key)) this.#announce(questionOf(key));
  }

  async #watch(namespace: string): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#watchOnce(namespace, signal);
      } catch {
        // The polls of the runtime go on, and say what is wrong with the API server.
      }
      await sleep(this.options.clock, pause, signal);
    }
  }

  async #watchOnce(namespace: string, signal: AbortSignal): Promise<void> {
    const { cluster } = this.options;
    const { items, resourceVersion } = await cluster.list(Lease, { namespace, labelSelector: selector, signal });
    for (const lease of items) this.note(lease);
    const query = { namespace, labelSelector: selector, resourceVersion, timeoutSeconds: watched, signal };
    for await (const event of cluster.watch(Lease, query)) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED') this.note(event.object);
      if (event.type === 'DELETED') this.#forget(keyOf(event.object.metadata as LeaseQuestion));
    }
  }
}

function questionOf(key: ObjectKey): LeaseQuestion {
  const { namespace = '', name } = nameOf(key);
  return { namespace, name };
}

/** Milliseconds for which a renewal counts. */
function durationOf({ spec }: LiveLease): number {
  return (spec?.leaseDurationSeconds ?? defaultDuration) * 1_000;
}
