import { linked } from '../concurrency/abort-signals.js';
import { isApiError } from '../kubernetes/errors.js';
import { Lease } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { microTime } from '../kubernetes/timestamp.js';
import type { Clock } from '../ports/clock.js';
import type { Cluster } from '../ports/cluster.js';
import type { LeaseTimes } from './lease-times.js';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
  readonly acquireTime?: string;
  readonly leaseTransitions?: number;
}

export type LiveLease = LiveObject & { readonly spec?: LeaseSpec };

export interface LeaseHolderOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly name: string;
  readonly namespace: string;
  /** Unique among all processes, past and present. */
  readonly identity: string;
  readonly times: LeaseTimes;
}

const manager = 'reconstruct-leader';
/** Seconds in a lease that its holder has released, the same in every client. */
const released = 1;

/**
 * The operations of one process on a Lease.
 *
 * Guarantees: it is written only over a state in which it was free or ours, so if two processes try, one meets a
 * conflict. The lease of another process is judged by how long it was *seen* unchanged, so clocks need not agree. If a
 * lease is deleted, emptied or shortened, the wait is just as long. No try takes longer than half of the time to renew,
 * so after one that hangs there is time for a second one.
 */
export class LeaseHolder {
  /** The lease of another process, and when it may be acquired unless it is seen to change before. */
  #seen: { spec: string; freeAt: number } | undefined;
  #isInDoubt = false;

  constructor(readonly options: LeaseHolderOptions) {}

  /** True while the lease may be ours without our knowing, because the last try to acquire it got no response. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Milliseconds until another process's lease may be acquired. */
  get untilFree(): number {
    return (this.#seen?.freeAt ?? 0) - this.options.clock.monotonic();
  }

  /** The lease, if it is ours now. */
  async take(signal: AbortSignal): Promise<LiveLease | undefined> {
    const lease = await this.#read(signal);
    if (lease ? !this.#isFree(lease) : this.untilFree > 0) return undefined;
    this.#isInDoubt = true;
    try {
      const taken = await (lease ? this.#write(lease, this.#taken(lease), signal) : this.#create(signal));
      this.#isInDoubt = false;
      return taken;
    } catch (error) {
      this.#isInDoubt = !isApiError(error, 'Conflict', 'AlreadyExists');
      throw error;
    }
  }

  /** The renewed lease. @throws {ApiError} Conflict or NotFound if it is no longer ours */
  async renew(lease: LiveLease, signal: AbortSignal): Promise<LiveLease> {
    return this.#overwrite(lease, signal, ({ spec }) => ({
      ...spec,
      leaseDurationSeconds: this.#seconds,
      renewTime: this.#now(),
    }));
  }

  /** Frees the lease at once for the standbys. */
  async release(lease: LiveLease, signal: AbortSignal): Promise<void> {
    const free = { holderIdentity: '', leaseDurationSeconds: released };
    await this.#overwrite(lease, signal, ({ spec }) => ({ ...spec, ...free, renewTime: this.#now() }));
  }

  /** Frees the lease if it turns out to be ours. */
  async settleDoubt(signal: AbortSignal): Promise<void> {
    const lease = await this.#read(signal);
    if (lease && this.#isOurs(lease)) await this.release(lease, signal);
  }

  /**
   * Writes, and writes again if the lease has changed but is still ours: the response to an earlier write was lost, or
   * its metadata was edited.
   */
  async #overwrite(lease: LiveLease, signal: AbortSignal, change: (lease: LiveLease) => LeaseSpec): Promise<LiveLease> {
    for (let current = lease; ; ) {
      try {
        return await this.#write(current, change(current), signal);
      } catch (conflict) {
        if (!isApiError(conflict, 'Conflict')) throw conflict;
        const now = await this.#read(signal);
        if (!now || !this.#isOurs(now)) throw conflict;
        current = now;
      }
    }
  }

  #isOurs({ spec }: LiveLease): boolean {
    return spec?.holderIdentity === this.options.identity;
  }

  #isFree(lease: LiveLease): boolean {
    const { clock, times } = this.options;
    if (this.#isOurs(lease)) return true;
    // A holder that another user removed continues by its own knowledge. Its own release shows in the duration.
    if (!lease.spec?.holderIdentity) return lease.spec?.leaseDurationSeconds === released || this.untilFree <= 0;
    const spec = JSON.stringify(lease.spec); // an edit of the metadata does not renew the lease
    if (this.#seen?.spec !== spec) {
      // The holder uses its own times, because any user can have shortened the duration.
      const duration = Math.max((lease.spec.leaseDurationSeconds ?? 0) * 1000, times.duration);
      this.#seen = { spec, freeAt: clock.monotonic() + duration };
    }
    return clock.monotonic() > this.#seen.freeAt;
  }

  #taken(lease: LiveLease): LeaseSpec {
    const { identity } = this.options;
    const now = this.#now();
    const { acquireTime = now, leaseTransitions = 0 } = lease.spec ?? {};
    return {
      holderIdentity: identity,
      leaseDurationSeconds: this.#seconds,
      acquireTime: this.#isOurs(lease) ? acquireTime : now,
      renewTime: now,
      leaseTransitions: this.#isOurs(lease) ? leaseTransitions : leaseTransitions + 1,
    };
  }

  async #read(signal: AbortSignal): Promise<LiveLease | undefined> {
    const { cluster, name, namespace } = this.options;
    const read = (signal: AbortSignal) => cluster.read(Lease, { name, namespace }, { signal });
    return (await this.#soon(signal, read)) as LiveLease | undefined;
  }

  async #create(signal: AbortSignal): Promise<LiveLease> {
    const { cluster, name, namespace, identity } = this.options;
    const now = this.#now();
    const lease = leaseOf(
      { name, namespace },
      {
        ...{ holderIdentity: identity, leaseDurationSeconds: this.#seconds },
        ...{ acquireTime: now, renewTime: now, leaseTransitions: 0 },
      },
    );
    return (await this.#soon(signal, (signal) => cluster.create(Lease, lease, { manager, signal }))) as LiveLease;
  }

  async #write({ metadata }: LiveLease, spec: LeaseSpec, signal: AbortSignal): Promise<LiveLease> {
    const { name, namespace, uid, resourceVersion } = metadata;
    const lease = leaseOf({ name, ...(namespace && { namespace }), uid, resourceVersion }, spec);
    const { cluster } = this.options;
    return (await this.#soon(signal, (signal) => cluster.apply(Lease, lease, { manager, signal }))) as LiveLease;
  }

  /** Aborts a call in time for another try. */
  async #soon<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const patience = this.options.times.renewDeadline / 2;
    const cancel = this.options.clock.after(patience, () => late.abort(new Error(`no answer in ${patience} ms`)));
    const both = linked(signal, late.signal);
    try {
      return await call(both.signal);
    } finally {
      cancel();
      both.release();
    }
  }

  get #seconds(): number {
    return Math.ceil(this.options.times.duration / 1000);
  }

  #now(): string {
    return microTime(this.options.clock.now());
  }
}

function leaseOf(metadata: Manifest['metadata'], spec: LeaseSpec): Manifest & { spec: LeaseSpec } {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
}
