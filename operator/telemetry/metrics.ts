import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Operator } from '../runtime/operator.js';
import type { Log, Telemetry, WatchState } from '../runtime/telemetry.js';

/** Seconds. The bounds are controller-runtime's, thinned out. */
const passBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What a sampler of the event loop tells. It would wake the process every 10 ms, which is most of what an operator at
 * rest costs. The lag at the moment of asking, `nodejs_eventloop_lag_seconds`, stays, and takes no sampler.
 */
const sampledLag = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (what) => `nodejs_eventloop_lag_${what}_seconds`,
);
/** Milliseconds: the longest that a timer takes, 24 days. The sampler cannot be left out, only put off. */
const never = 2 ** 31 - 1;

/**
 * What the operator does, for Prometheus. Where controller-runtime has a metric of the same meaning it has the same
 * name and labels, so that its dashboards work.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #passes = this.#counter('controller_runtime_reconcile_total', 'Passes, by result.', [
    'controller',
    'result',
  ]);
  readonly #errors = this.#counter('controller_runtime_reconcile_errors_total', 'Passes that failed.', ['controller']);
  readonly #seconds = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Duration of a pass.',
    labelNames: ['controller'],
    buckets: passBuckets,
    registers: [this.registry],
  });
  readonly #writes = this.#counter('reconstruct_writes_total', 'Writes sent.', ['controller', 'kind', 'verb']);
  readonly #requests = this.#counter('rest_client_requests_total', 'Requests to the API server.', ['code', 'method']);
  readonly #watches = this.#gauge('reconstruct_watch_state', 'Watches: 1 in sync, 0 down, -1 kind not served.', [
    'kind',
    'namespace',
  ]);
  readonly #leads = this.#gauge('leader_election_master_status', '1 while this process leads.', ['name']);

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: never });
    for (const name of sampledLag) this.registry.removeSingleMetric(name);
  }

  /** What the runtime tells, counted; the log is passed through. */
  telemetry(log: Log): Telemetry {
    const states: Readonly<Record<WatchState, number>> = { synced: 1, down: 0, missing: -1 };
    return {
      log,
      passed: ({ controller, result, seconds }) => {
        this.#passes.inc({ controller, result });
        if (result === 'error') this.#errors.inc({ controller });
        this.#seconds.observe({ controller }, seconds);
      },
      wrote: (write) => this.#writes.inc({ ...write }),
      watching: ({ kind, namespace, state }) => this.#watches.set({ kind, namespace }, states[state]),
      leading: ({ name, leads }) => this.#leads.set({ name }, leads ? 1 : 0),
    };
  }

  answered({ method, code }: { method: string; code: number }): void {
    this.#requests.inc({ code: code === 0 ? '<error>' : String(code), method });
  }

  /** What is read off the operator when somebody asks. */
  observe(operator: Operator): void {
    const { registry } = this;
    const perController = (name: string, help: string, value: (load: { waiting: number; running: number }) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['name', 'controller'],
        registers: [registry],
        collect() {
          for (const { controller, load } of operator.loops) {
            this.set({ name: controller.name, controller: controller.name }, value(load));
          }
        },
      });
    perController('workqueue_depth', 'Keys that wait for a worker.', ({ waiting }) => waiting);
    perController('controller_runtime_active_workers', 'Passes that run.', ({ running }) => running);
    new Gauge({
      name: 'reconstruct_watch_age_seconds',
      help: 'Time since the API server last said something, by watch.',
      labelNames: ['kind', 'namespace'],
      registers: [registry],
      collect() {
        for (const { age, kind, namespace } of operator.watches) this.set({ kind: kind.kind, namespace }, age / 1000);
      },
    });
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}
