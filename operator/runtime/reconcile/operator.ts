import type { Store } from '../cache/store.js';
import { Stores } from '../cache/stores.js';
import type { Watch } from '../cache/watch.js';
import { Watches, type WatchesOptions } from '../cache/watches.js';
import { Semaphore } from '../concurrency/semaphore.js';
import { refuseOverlappingControllers } from '../controller/overlapping-controllers.js';
import { refuseNarrowScope } from '../controller/owned-kinds.js';
import { groupKindOf } from '../kubernetes/kinds.js';
import { LeaderElector } from '../leader/leader-election.js';
import type { Term } from '../leader/lease-term.js';
import type { LeaseTimes } from '../leader/lease-times.js';
import { fenced } from '../leader/write-fence.js';
import { AppliedState } from '../memory/applied-state.js';
import { LastAcceptedSpecs } from '../memory/last-accepted-specs.js';
import { Pollers } from '../memory/pollers.js';
import { RenderCache } from '../memory/render-cache.js';
import { WriteGuard } from '../memory/write-guard.js';
import type { Cluster } from '../ports/cluster.js';
import { EventRecorder } from '../ports/event-recorder.js';
import type { Provided } from '../ports/external-port.js';
import { ControllerLoop } from './controller-loop.js';

export interface OperatorOptions extends WatchesOptions {
  /** Passes at a time, for each controller. */
  readonly maxConcurrentReconciles: number;
  /** Milliseconds after which every resource is looked at again, from the caches. */
  readonly resyncPeriod: number;
  /** Milliseconds after which a pass is given up. */
  readonly reconcileTimeout: number;
  /** Milliseconds for the passes that run when the operator is to stop. */
  readonly gracefulShutdownTimeout: number;
  /** Unlike that of every other process that ever was. */
  readonly identity: string;
  /** Who answers what controllers gather. @default [] */
  readonly ports?: readonly Provided[];
  /** @default - this is the only process, and it leads */
  readonly lease?:
    | {
        readonly name: string;
        readonly namespace: string;
        readonly times?: LeaseTimes;
        /** A way to the API server of its own, which nothing else can fill. @default - that of everything else */
        readonly cluster?: Cluster;
      }
    | undefined;
}

/**
 * Milliseconds without an answer after which a watch counts as stuck. It asks far more often: a connection without a
 * word is given up after 70 s, and a try that fails is repeated within 5 minutes at the latest.
 */
const stuckAfter = 600_000;

/** So many are asked at a time: who answers slowly keeps others waiting, but nobody is overrun. */
const asksAtATime = 32;

/** The term of a process that shares with no other. */
const endless: Term = { signal: new AbortController().signal, holds: () => true };

/**
 * Runs controllers against a cluster. Caches are filled whether it leads or not, so that a standby takes over at once;
 * passes run while it leads; nothing is written outside the term of its lease.
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
    const cluster = fenced(options.cluster, () => this.#term);
    this.#recorder = new EventRecorder({ cluster, clock, telemetry, instance: identity });
    const recorder = this.#recorder;
    const stores = this.#stores;
    const turnstile = new Semaphore(asksAtATime);
    this.#loops = controllers.map((controller) => {
      const memory = {
        appliedState: new AppliedState(),
        writeGuard: new WriteGuard(clock),
        lastAcceptedSpecs: new LastAcceptedSpecs(),
      };
      const pollers = new Pollers({ controller, ports, clock, telemetry, turnstile });
      const known = { ...memory, renderCache: new RenderCache() };
      const place = { controller, cluster, stores, ...known, recorder, telemetry, clock, pollers };
      return new ControllerLoop(place, options);
    });
    this.#watches = new Watches(stores, options);
  }

  /**
   * True when every kind that the API server serves has been listed: a standby that is ready takes over at once. Of some
   * named namespaces it may be refused, if it sees all of another: a tenant can take his own namespace away from it, and
   * shall not keep a new version from being rolled out to the others. Who is refused all of them can do nothing.
   */
  get ready(): boolean {
    const unknown = this.watches.filter((watch) => !watch.synced && !watch.missing);
    const without = new Set(unknown.map(({ namespace }) => namespace));
    const seesOne = this.options.namespaces.some((namespace) => !without.has(namespace));
    return unknown.every(({ namespace, refused }) => namespace !== '' && refused && seesOne);
  }

  /**
   * Kinds of which no news and no answer came for so long that the fault may be this process's own, and a new one worth
   * a try. A server that answers, were it that a right is missing or that it is busy, proves that this one is well.
   */
  get stuck(): readonly string[] {
    return this.watches.filter((watch) => watch.silence > stuckAfter).map(({ kind }) => groupKindOf(kind));
  }

  /** What is known of each kind. */
  get stores(): readonly Store[] {
    return this.#stores.all;
  }

  get loops(): readonly ControllerLoop[] {
    return this.#loops;
  }

  get watches(): readonly Watch[] {
    return this.#watches.all;
  }

  /** Runs until the signal aborts and what ran has ended. Never rejects for what the cluster does. */
  async run(signal: AbortSignal): Promise<void> {
    // The caches outlive the passes: what ends last reads what it wrote.
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
