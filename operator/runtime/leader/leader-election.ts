import { linked } from '../concurrency/abort-signals.js';
import { isApiError, isHomeless, isObsolete, messageOf } from '../kubernetes/errors.js';
import { type Clock, sleep } from '../ports/clock.js';
import type { Cluster } from '../ports/cluster.js';
import type { Telemetry } from '../ports/telemetry.js';
import { LeaseHolder, type LiveLease } from './lease.js';
import { LeaseTerm, type Term } from './lease-term.js';
import { faultsOf, type LeaseTimes, leaseTimes } from './lease-times.js';

export interface LeaderElectorOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly name: string;
  readonly namespace: string;
  /** Unique among all processes, past and present. */
  readonly identity: string;
  readonly times?: LeaseTimes;
  /**
   * Leads until `finish` aborts, which also happens at the end of the term. Resolves when no more work runs in the name
   * of the term. The lease is renewed until then.
   */
  readonly lead: (term: Term, finish: AbortSignal) => Promise<void>;
}

const never = new AbortController().signal;

/**
 * Acquires the lease when it is free, and leads for as long as it is renewed. Steps down without ending the process,
 * and then stands by again.
 *
 * Guarantees: a term ends `renewDeadline` after the last successful renewal was *sent*, by this process's own monotonic
 * clock. Another process may acquire the lease `duration` after it saw that renewal, by its own clock. The difference
 * allows for clocks that run at different speeds.
 */
export class LeaderElector {
  readonly #times: LeaseTimes;
  readonly #holder: LeaseHolder;

  /** @throws {Error} if the times of the lease contradict each other */
  constructor(readonly options: LeaderElectorOptions) {
    this.#times = options.times ?? leaseTimes;
    const [fault] = faultsOf(this.#times);
    if (fault !== undefined) throw new Error(fault);
    this.#holder = new LeaseHolder({ ...options, times: this.#times });
  }

  /** Runs until the signal aborts, then releases the lease. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { name, identity, telemetry } = this.options;
    telemetry.leaderChanged({ name, leads: false });
    let standsBy = false;
    while (!signal.aborted) {
      const sent = this.options.clock.monotonic();
      const lease = await this.#holder.take(signal).catch((error: unknown) => this.#unheard(error, signal));
      if (lease) await this.#reign(lease, sent, signal);
      else if (!standsBy) telemetry.log.info({ lease: name, identity }, 'Attempting to acquire leader lease');
      standsBy = lease === undefined;
      await sleep(this.options.clock, Math.min(this.#pause(), this.#untilFree()), signal);
    }
    if (this.#holder.isInDoubt) await this.#holder.settleDoubt(never).catch((error: unknown) => this.#unheard(error));
  }

  async #reign(acquired: LiveLease, sent: number, signal: AbortSignal): Promise<void> {
    const { lead, name, identity, telemetry } = this.options;
    const reign = new LeaseTerm(this.options.clock, sent + this.#times.renewDeadline);
    telemetry.leaderChanged({ name, leads: true });
    telemetry.log.info({ lease: name, identity }, 'Successfully acquired lease');
    const done = new AbortController();
    const finish = linked(signal, reign.signal);
    const work = lead(reign, finish.signal)
      .catch((error: unknown) => telemetry.log.error({ error: messageOf(error) }, 'Operator failed while leading'))
      .finally(() => {
        finish.release();
        done.abort();
      });
    const lease = await this.#renew(acquired, reign, done.signal);
    await work;
    if (reign.holds()) await this.#holder.release(lease, reign.signal).catch((error: unknown) => this.#unheard(error));
    reign.end();
    telemetry.leaderChanged({ name, leads: false });
    telemetry.log.info({ lease: name, identity }, 'Stopped leading');
  }

  /** Renews the lease until the work is done or the lease is lost. Returns the lease as last written. */
  async #renew(acquired: LiveLease, reign: LeaseTerm, done: AbortSignal): Promise<LiveLease> {
    const { clock } = this.options;
    let lease = acquired;
    const either = linked(done, reign.signal);
    while (!either.signal.aborted) {
      await sleep(clock, this.#pause(), either.signal);
      if (either.signal.aborted) break;
      const sent = clock.monotonic();
      try {
        lease = await this.#holder.renew(lease, reign.signal);
        reign.extend(sent + this.#times.renewDeadline);
      } catch (error) {
        this.#unheard(error, reign.signal);
        if (isObsolete(error) || isHomeless(error)) reign.end(); // another process holds it, or it was deleted
      }
    }
    either.release();
    return lease;
  }

  /**
   * Milliseconds until another process's lease may be acquired, plus a random delay, so that not all standbys try at
   * once.
   */
  #untilFree(): number {
    const left = this.#holder.untilFree;
    return left > 0 ? left + 100 * this.options.clock.random() + 1 : Number.POSITIVE_INFINITY;
  }

  #pause(): number {
    return this.#times.retryPeriod * (0.8 + 0.2 * this.options.clock.random());
  }

  /** @param signal whose abort is the reason, and need not be reported */
  #unheard(error: unknown, signal = never): undefined {
    if (signal.aborted) return undefined;
    const { name, telemetry } = this.options;
    const fields = { lease: name, error: messageOf(error) };
    if (isApiError(error, 'Conflict', 'AlreadyExists'))
      telemetry.log.debug(fields, 'Lease was acquired by another process');
    else telemetry.log.warn(fields, 'Failed to read or renew the lease');
    return undefined;
  }
}
