import type { Store } from '../cache/store.js';
import { Stores } from '../cache/stores.js';
import type { Watch } from '../cache/watch.js';
import { Watches, type WatchesOptions } from '../cache/watches.js';
import { Semaphore } from '../concurrency/semaphore.js';
import { refuseOverlappingControllers } from '../controller/overlapping-controllers.js';
import { refuseNarrowScope } from '../controller/owned-kinds.js';
import { portUsesOf } from '../controller/polls.js';
import { Callers, CallPorts } from '../external/callers.js';
import { Pollers } from '../external/pollers.js';
import { secretAccess } from '../external/secret-access.js';
import { groupKindOf } from '../kubernetes/kinds.js';
import { LeaderElector } from '../leader/leader-election.js';
import type { Term } from '../leader/lease-term.js';
import type { LeaseTimes } from '../leader/lease-times.js';
import { fenced } from '../leader/write-fence.js';
import { AppliedState } from '../memory/applied-state.js';
import { ForeignDeletions } from '../memory/foreign-deletions.js';
import { LastAcceptedSpecs } from '../memory/last-accepted-specs.js';
import { RenderCache } from '../memory/render-cache.js';
import { HeldPrunes, ReportedConditions } from '../memory/reported-conditions.js';
import { WriteGuard } from '../memory/write-guard.js';
import type { Cluster } from '../ports/cluster.js';
import { EventRecorder } from '../ports/event-recorder.js';
import { type Provided, refuseSameNames } from '../ports/external-port.js';
import { ControllerLoop } from './controller-loop.js';

export interface OperatorOptions extends WatchesOptions {
  /** The number of concurrent reconciles of each controller. */
  readonly maxConcurrentReconciles: number;
  /** Milliseconds after which every resource is reconciled again from the caches. */
  readonly resyncPeriod: number;
  /** Milliseconds after which a reconcile times out. */
  readonly reconcileTimeout: number;
  /** Milliseconds that running reconciles have to finish when the operator stops. */
  readonly gracefulShutdownTimeout: number;
  /** Unique among all processes, past and present. */
  readonly identity: string;
  /** The sources of the ports that controllers poll and call. @default [] */
  readonly ports?: readonly Provided[];
  /** @default - this is the only process, and it leads */
  readonly lease?:
    | {
        readonly name: string;
        readonly namespace: string;
        readonly times?: LeaseTimes;
        /**
         * A separate connection to the API server that no other requests can fill. @default - the connection of all
         * other requests
         */
        readonly cluster?: Cluster;
      }
    | undefined;
}

/**
 * Milliseconds without an answer after which a watch counts as stuck. Retries are far more frequent: a silent
 * connection is dropped after 70 s, and a failed try is repeated within 5 minutes at the latest.
 */
const stuckAfter = 600_000;

/** The number of concurrent polls. A slow source delays other polls, but no source is overloaded. */
const asksAtATime = 32;

/** The term of the only process. */
const endless: Term = { signal: new AbortController().signal, holds: () => true };

/**
 * Runs controllers against a cluster. The caches are filled even while it does not lead, so that a standby takes over
 * at once. Reconciles run only while it leads, and nothing is written outside of its lease term.
 */
export class Operator {
  readonly #stores = new Stores();
  readonly #loops: readonly ControllerLoop[];
  readonly #watches: Watches;
  readonly #recorder: EventRecorder;
  #term: Term | undefined;

  constructor(readonly options: OperatorOptions) {
    const { clock, controllers, telemetry, identity, ports = [] } = options;
    refuseOverlappingControllers(controllers);
    for (const controller of controllers) refuseNarrowScope(controller, options.namespaces);
    const provided = ports.map(({ port }) => ({ port, by: 'the sources in ports' }));
    refuseSameNames([...controllers.flatMap(portUsesOf), ...provided]);
    const cluster = fenced(options.cluster, () => this.#term);
    this.#recorder = new EventRecorder({ cluster, clock, telemetry, instance: identity });
    const recorder = this.#recorder;
    const stores = this.#stores;
    const turnstile = new Semaphore(asksAtATime);
    const called = new CallPorts(ports, clock);
    const secrets = secretAccess(cluster);
    this.#loops = controllers.map((controller) => {
      const memory = {
        appliedState: new AppliedState(),
        writeGuard: new WriteGuard(clock),
        lastAcceptedSpecs: new LastAcceptedSpecs(),
        reportedConditions: new ReportedConditions(),
        heldPrunes: new HeldPrunes(),
        foreignDeletions: new ForeignDeletions(),
      };
      const pollers = new Pollers({ controller, ports, clock, telemetry, turnstile, secrets });
      const term = () => this.#term;
      const callers =
        controller.calls.length > 0 &&
        new Callers({ controller, ports: called, clock, telemetry, pollers, secrets, term });
      const known = { ...memory, renderCache: new RenderCache() };
      const asking = { pollers, ...(callers && { callers }) };
      const context = { controller, cluster, stores, ...known, recorder, telemetry, clock, ...asking };
      return new ControllerLoop(context, options);
    });
    this.#watches = new Watches(stores, options);
  }

  /**
   * True if every kind that the API server serves has been listed: a ready standby takes over at once. If several
   * namespaces are watched, the operator may be refused some of them, if at least one is fully visible. A tenant can
   * revoke the access to his own namespace, and must not block a rollout for the others. An operator that is refused
   * all of them is not ready.
   */
  get ready(): boolean {
    const unknown = this.watches.filter((watch) => !watch.synced && !watch.missing);
    const without = new Set(unknown.map(({ namespace }) => namespace));
    const seesOne = this.options.namespaces.some((namespace) => !without.has(namespace));
    return unknown.every(({ namespace, refused }) => namespace !== '' && refused && seesOne);
  }

  /**
   * Kinds without an event or an answer for so long that this process may be at fault and a restart may help. A server
   * that answers, even that a permission is missing or that it is busy, proves that this process works.
   */
  get stuck(): readonly string[] {
    return this.watches.filter((watch) => watch.silence > stuckAfter).map(({ kind }) => groupKindOf(kind));
  }

  /** The stores of all kinds. */
  get stores(): readonly Store[] {
    return this.#stores.all;
  }

  get loops(): readonly ControllerLoop[] {
    return this.#loops;
  }

  get watches(): readonly Watch[] {
    return this.#watches.all;
  }

  /** Runs until the signal aborts and all work has ended. Never rejects because of the cluster. */
  async run(signal: AbortSignal): Promise<void> {
    // The caches outlive the reconciles: the last of them reads its own writes.
    const caches = new AbortController();
    const watching = this.#watches.run(caches.signal);
    const { cluster, clock, identity, lease, telemetry } = this.options;
    if (lease) {
      const lead = (term: Term, finish: AbortSignal) => this.#lead(term, finish);
      await new LeaderElector({ cluster, ...lease, clock, telemetry, identity, lead }).run(signal);
    } else {
      await this.#lead(endless, signal);
    }
    for (const loop of this.#loops) loop.close();
    caches.abort();
    await watching;
  }

  async #lead(term: Term, finish: AbortSignal): Promise<void> {
    this.#term = term;
    const { gracefulShutdownTimeout } = this.options;
    const run = (loop: ControllerLoop) => loop.run(finish, gracefulShutdownTimeout);
    await Promise.all(this.#loops.map(run));
    if (term.holds()) await this.#recorder.settle();
    this.#term = undefined;
  }
}
