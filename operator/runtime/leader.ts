import { type Clock, sleep } from './clock.js';
import type { Cluster } from './cluster.js';
import { isApiError, messageOf } from './errors.js';
import { microTime } from './events.js';
import type { Term } from './fence.js';
import { Lease } from './kinds.js';
import { linked } from './linked.js';
import type { LiveObject, Manifest } from './object.js';
import type { Telemetry } from './telemetry.js';

/** Durations in milliseconds; the defaults are client-go's. */
export interface LeaseTimes {
  /** A lease that is not renewed for this long may be taken. @default 15_000 */
  readonly duration: number;
  /** A leader that could not renew for this long steps down. Less than `duration`. @default 10_000 */
  readonly renewDeadline: number;
  /** Between two tries. @default 2_000 */
  readonly retryPeriod: number;
}

export const leaseTimes: LeaseTimes = { duration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

export interface LeaderOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly name: string;
  readonly namespace: string;
  /** Unlike that of every other process that ever was. */
  readonly identity: string;
  readonly times?: LeaseTimes;
  /**
   * Leads until `finish` aborts, which it does with the term too; resolves when nothing is done any more in the term's
   * name. Until then the lease is renewed.
   */
  readonly lead: (term: Term, finish: AbortSignal) => Promise<void>;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
  readonly acquireTime?: string;
  readonly leaseTransitions?: number;
}

type LiveLease = LiveObject & { readonly spec?: LeaseSpec };

const manager = 'reconstruct-leader';

/**
 * Takes the lease when it is free, and leads for as long as it is renewed. Steps down without ending the process, and
 * stands by again.
 *
 * Guarantees: a term ends `duration` after the *sending* of the last renewal that succeeded, by this process's own
 * monotonic clock, so before any other process may take the lease; another's lease is judged by when it was last *seen*
 * to change, so clocks need not agree. Assumes that clocks run equally fast.
 */
export class Leader {
  readonly #times: LeaseTimes;
  /** Another's lease, and when it may be taken unless it is seen to change before. */
  #seen: { version: string; freeAt: number } | undefined;

  constructor(readonly options: LeaderOptions) {
    this.#times = options.times ?? leaseTimes;
  }

  /** Runs until the signal aborts, then gives the lease back. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sent = this.options.clock.monotonic();
      const lease = await this.#acquire().catch((error: unknown) => this.#unheard(error));
      if (lease) await this.#reign(lease, sent, signal);
      await sleep(this.options.clock, Math.min(this.#pause(), this.#untilFree()), signal);
    }
  }

  async #reign(acquired: LiveLease, sent: number, signal: AbortSignal): Promise<void> {
    const { lead, name, identity, telemetry } = this.options;
    const reign = new Reign(this.options.clock, sent + this.#times.duration);
    telemetry.leading({ name, leads: true });
    telemetry.log.info({ lease: name, identity }, 'leading');
    const done = new AbortController();
    const finish = linked(signal, reign.signal);
    const work = lead(reign, finish.signal)
      .catch((error: unknown) => telemetry.log.error({ error: messageOf(error) }, 'leading failed'))
      .finally(() => {
        finish.release();
        done.abort();
      });
    const lease = await this.#renew(acquired, reign, done.signal);
    await work;
    if (reign.holds()) await this.#release(lease).catch((error: unknown) => this.#unheard(error));
    reign.end();
    telemetry.leading({ name, leads: false });
    telemetry.log.info({ lease: name, identity }, 'no longer leading');
  }

  /** Renews until the work is done or the lease is lost. Returns the lease as last written. */
  async #renew(acquired: LiveLease, reign: Reign, done: AbortSignal): Promise<LiveLease> {
    const { clock } = this.options;
    let lease = acquired;
    let renewed = clock.monotonic();
    const { signal: either } = linked(done, reign.signal);
    while (!either.aborted) {
      await sleep(clock, this.#pause(), either);
      if (either.aborted) break;
      const sent = clock.monotonic();
      try {
        lease = await this.#write(lease, { ...lease.spec, renewTime: microTime(clock.now()) }, reign.signal);
        reign.extend(sent + this.#times.duration);
        renewed = sent;
      } catch (error) {
        this.#unheard(error);
        const lost = isApiError(error, 'Conflict', 'NotFound');
        if (lost || clock.monotonic() - renewed > this.#times.renewDeadline) reign.end();
      }
    }
    return lease;
  }

  /** The lease, if it is ours now. */
  async #acquire(): Promise<LiveLease | undefined> {
    const { cluster, clock, identity, name, namespace } = this.options;
    const lease = (await cluster.read(Lease, { name, namespace })) as LiveLease | undefined;
    const now = microTime(clock.now());
    const ours = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#times.duration / 1000),
      acquireTime: now,
      renewTime: now,
    };
    if (!lease) {
      const spec = { ...ours, leaseTransitions: 0 };
      return (await cluster.create(Lease, this.#lease({ name, namespace }, spec), { manager })) as LiveLease;
    }
    if (!this.#isFree(lease)) return undefined;
    return this.#write(lease, { ...ours, leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1 });
  }

  #isFree({ metadata, spec }: LiveLease): boolean {
    const { clock, identity } = this.options;
    if (!spec?.holderIdentity || spec.holderIdentity === identity) return true;
    if (this.#seen?.version !== metadata.resourceVersion) {
      const duration = (spec.leaseDurationSeconds ?? this.#times.duration / 1000) * 1000;
      this.#seen = { version: metadata.resourceVersion, freeAt: clock.monotonic() + duration };
    }
    return clock.monotonic() > this.#seen.freeAt;
  }

  /** Milliseconds until another's lease may be taken, and a little more, so that not all who wait try at once. */
  #untilFree(): number {
    const left = (this.#seen?.freeAt ?? 0) - this.options.clock.monotonic();
    return left > 0 ? left + 100 * this.options.clock.random() + 1 : Number.POSITIVE_INFINITY;
  }

  /** Free at once for whoever stands by. */
  async #release(lease: LiveLease): Promise<void> {
    const renewTime = microTime(this.options.clock.now());
    await this.#write(lease, { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime });
  }

  /** Writes only on top of the state that was read: of two that try, one meets a conflict. */
  async #write(lease: LiveLease, spec: LeaseSpec, signal?: AbortSignal): Promise<LiveLease> {
    const { name, namespace, uid, resourceVersion } = lease.metadata;
    const object = this.#lease({ name, ...(namespace && { namespace }), uid, resourceVersion }, spec);
    return (await this.options.cluster.apply(Lease, object, { manager, signal })) as LiveLease;
  }

  #lease(metadata: Manifest['metadata'], spec: LeaseSpec): Manifest & { spec: LeaseSpec } {
    return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  }

  #pause(): number {
    return this.#times.retryPeriod * (0.8 + 0.2 * this.options.clock.random());
  }

  #unheard(error: unknown): undefined {
    const { name, telemetry } = this.options;
    const fields = { lease: name, error: messageOf(error) };
    if (isApiError(error, 'Conflict', 'AlreadyExists')) telemetry.log.debug(fields, 'another process was faster');
    else telemetry.log.warn(fields, 'the lease could not be read or written');
    return undefined;
  }
}

/** One term, extended by each renewal. */
class Reign implements Term {
  readonly #over = new AbortController();
  readonly signal = this.#over.signal;
  #until = 0;
  #cancel = () => {};

  /** @param until monotonic */
  constructor(
    readonly clock: Clock,
    until: number,
  ) {
    this.extend(until);
  }

  holds(): boolean {
    return !this.signal.aborted && this.clock.monotonic() < this.#until;
  }

  extend(until: number): void {
    if (this.signal.aborted) return;
    this.#until = until;
    this.#cancel();
    this.#cancel = this.clock.after(until - this.clock.monotonic(), () => this.end());
  }

  end(): void {
    this.#cancel();
    this.#over.abort(new Error('the term of the lease is over'));
  }
}
