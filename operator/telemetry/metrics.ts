import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  type Log,
  noSpan,
  type ReconcileResult,
  type Span,
  type Telemetry,
  type WatchState,
} from '../runtime/ports/telemetry.js';
import type { Operator } from '../runtime/reconcile/operator.js';
import { registerOperatorMetrics } from './operator-metrics.js';

/** Seconds of a reconcile. The bounds are controller-runtime's, and its dashboards use them for heat maps. */
const passBuckets: readonly number[] = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** Seconds in a queue: 10 ns to 1000 s in powers of ten. The bounds are client-go's. */
const queueBuckets: readonly number[] = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** Seconds until the API server responds. The bounds are those of the Kubernetes components. */
const requestBuckets: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/**
 * Metrics of the event loop sampler. The sampler would wake the process every 10 ms, which is most of the cost of an
 * idle operator. The lag at scrape time, `nodejs_eventloop_lag_seconds`, stays and needs no sampler.
 */
const sampledLag = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (what) => `nodejs_eventloop_lag_${what}_seconds`,
);
/** Milliseconds: the longest delay of a timer, 24 days. The sampler cannot be disabled, only delayed. */
const never = 2 ** 31 - 1;

const results: readonly ReconcileResult[] = ['success', 'requeue_after', 'requeue', 'error'];

const watchStates: Readonly<Record<WatchState, number>> = { synced: 1, down: 0, missing: -1 };

const queue = ['name', 'controller'] as const;

/**
 * The Prometheus metrics of the operator. A metric with the meaning of a controller-runtime metric has its name and
 * labels, so that existing dashboards work.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #passes = this.#counter('controller_runtime_reconcile_total', 'Reconciles, by result.', [
    'controller',
    'result',
  ]);
  readonly #errors = this.#counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed.', [
    'controller',
  ]);
  readonly #timeouts = this.#counter(
    'controller_runtime_reconcile_timeouts_total',
    'Reconciles that exceeded their timeout.',
    ['controller'],
  );
  readonly #seconds = this.#histogram(
    'controller_runtime_reconcile_time_seconds',
    'Seconds that a reconcile took.',
    ['controller'],
    passBuckets,
  );
  readonly #adds = this.#counter('workqueue_adds_total', 'Resources added to the workqueue.', queue);
  readonly #retries = this.#counter('workqueue_retries_total', 'Retries after a failed reconcile.', queue);
  readonly #waited = this.#histogram(
    'workqueue_queue_duration_seconds',
    'Seconds that a resource stays in the workqueue before its reconcile starts.',
    queue,
    queueBuckets,
  );
  readonly #worked = this.#histogram(
    'workqueue_work_duration_seconds',
    'Seconds that a reconcile took, in the buckets of the workqueue.',
    queue,
    queueBuckets,
  );
  readonly #writes = this.#counter('reconstruct_writes_total', 'Write requests, by controller, kind and verb.', [
    'controller',
    'kind',
    'verb',
  ]);
  readonly #gaveUp = this.#counter('reconstruct_breaker_trips_total', 'Writes that the breaker suspended, by reason.', [
    'controller',
    'kind',
    'reason',
  ]);
  readonly #dropped = this.#counter('reconstruct_events_dropped_total', 'Events that were not recorded, by reason.', [
    'controller',
    'reason',
  ]);
  readonly #asks = this.#counter('reconstruct_polls_total', 'Polls of external sources, by result.', [
    'controller',
    'port',
    'result',
  ]);
  readonly #askSeconds = this.#histogram(
    'reconstruct_poll_duration_seconds',
    'Seconds until a poll was answered, failed or timed out, without the time for which the source may hold it.',
    ['controller', 'port'],
    requestBuckets,
  );
  readonly #calls = this.#counter('reconstruct_external_calls_total', 'External calls, by outcome.', [
    'controller',
    'port',
    'outcome',
  ]);
  readonly #callSeconds = this.#histogram(
    'reconstruct_external_call_duration_seconds',
    'Seconds until an external call was answered, failed or timed out.',
    ['controller', 'port'],
    requestBuckets,
  );
  readonly #requests = this.#counter('rest_client_requests_total', 'Requests to the API server.', [
    'code',
    'method',
    'host',
  ]);
  readonly #answers = this.#histogram(
    'rest_client_request_duration_seconds',
    'Seconds until the API server started to answer.',
    ['verb', 'host'],
    requestBuckets,
  );
  readonly #watches = this.#gauge(
    'reconstruct_watch_state',
    'State of each watch: 1 synced, 0 down, -1 kind not served.',
    ['kind', 'namespace'],
  );
  readonly #leads = this.#gauge('leader_election_master_status', '1 while this process is the leader.', ['name']);

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: never });
    for (const name of sampledLag) this.registry.removeSingleMetric(name);
  }

  /** Counts what the runtime reports. The log and the spans are passed through. */
  telemetry(log: Log, span: Span = noSpan): Telemetry {
    return {
      log,
      span,
      enqueued: ({ controller }) => this.#adds.inc({ name: controller, controller }),
      reconcileStarted: ({ controller, seconds }) => this.#waited.observe({ name: controller, controller }, seconds),
      reconciled: ({ controller, result, seconds, late }) => {
        this.#passes.inc({ controller, result });
        this.#seconds.observe({ controller }, seconds);
        this.#worked.observe({ name: controller, controller }, seconds);
        if (late) this.#timeouts.inc({ controller });
        if (result !== 'error') return;
        this.#errors.inc({ controller });
        this.#retries.inc({ name: controller, controller });
      },
      wrote: (write) => this.#writes.inc({ ...write }),
      breakerTripped: (write) => this.#gaveUp.inc({ ...write }),
      watchStateChanged: ({ kind, namespace, state }) => this.#watches.set({ kind, namespace }, watchStates[state]),
      polled: ({ controller, port, result, seconds }) => {
        this.#asks.inc({ controller, port, result });
        this.#askSeconds.observe({ controller, port }, seconds);
      },
      called: ({ controller, port, outcome, seconds }) => {
        this.#calls.inc({ controller, port, outcome });
        this.#callSeconds.observe({ controller, port }, seconds);
      },
      eventDropped: ({ controller, why }) => this.#dropped.inc({ controller, reason: why }),
      leaderChanged: ({ name, leads }) => this.#leads.set({ name }, leads ? 1 : 0),
    };
  }

  /** Counts the responses of the API server at `host`. */
  answersOf(host: string): (answer: { method: string; code: number; seconds: number }) => void {
    return ({ method, code, seconds }) => {
      this.#requests.inc({ code: code === 0 ? '<error>' : String(code), method, host });
      this.#answers.observe({ verb: method, host }, seconds);
    };
  }

  /**
   * Registers the metrics that are read from the operator at each scrape. Counters start at 0, so that rates are
   * defined from the start.
   */
  observe(operator: Operator): void {
    registerOperatorMetrics(operator, this.registry);
    for (const { name } of operator.loops.map(({ controller }) => controller)) {
      for (const result of results) this.#passes.inc({ controller: name, result }, 0);
      for (const counter of [this.#errors, this.#timeouts]) counter.inc({ controller: name }, 0);
      for (const counter of [this.#adds, this.#retries]) counter.inc({ name, controller: name }, 0);
      for (const histogram of [this.#waited, this.#worked]) histogram.zero({ name, controller: name });
      this.#seconds.zero({ controller: name });
    }
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: readonly number[],
  ): Histogram<L> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers: [this.registry],
    });
  }
}
