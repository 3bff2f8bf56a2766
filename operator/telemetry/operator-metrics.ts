import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../runtime/cache/store.js';
import type { Load, Priority } from '../runtime/concurrency/work-queue.js';
import type { Controller, LabeledValue, ResourceGauge } from '../runtime/controller/controller.js';
import type { CustomResource } from '../runtime/controller/custom-resource.js';
import { reportOf } from '../runtime/observe/observe.js';
import type { ControllerLoop } from '../runtime/reconcile/controller-loop.js';
import type { Operator } from '../runtime/reconcile/operator.js';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

interface Observed {
  readonly help: string;
  readonly labels: readonly string[];
  readonly samples: (operator: Operator) => readonly Sample[];
}

const names = ['name', 'controller'];

/** The metrics that are read from the operator at each scrape, by name. */
const observed: Readonly<Record<string, Observed>> = {
  workqueue_depth: {
    help: 'Resources in the workqueue.',
    labels: [...names, 'priority'],
    samples: ({ loops }) => loops.flatMap(depths),
  },
  workqueue_unfinished_work_seconds: perQueue(
    'Seconds that the reconciles in progress have taken so far, in total.',
    sum,
  ),
  workqueue_longest_running_processor_seconds: perQueue(
    'Seconds that the longest reconcile in progress has taken so far.',
    longest,
  ),
  controller_runtime_active_workers: {
    help: 'Reconciles in progress.',
    labels: ['controller'],
    samples: ({ loops }) => loops.map(({ controller: { name }, load }) => [{ controller: name }, load.running.length]),
  },
  controller_runtime_max_concurrent_reconciles: {
    help: 'Maximum number of concurrent reconciles.',
    labels: ['controller'],
    samples: ({ loops }) =>
      loops.map(({ controller: { name }, options }) => [{ controller: name }, options.maxConcurrentReconciles]),
  },
  reconstruct_watch_age_seconds: {
    help: 'Seconds since the last message of the API server, by watch.',
    labels: ['kind', 'namespace'],
    samples: ({ watches }) =>
      watches.map(({ age, kind, namespace }) => [{ kind: kind.kind, namespace }, age / 1000] as const),
  },
  reconstruct_cache_bytes: {
    help: 'Bytes of JSON that the caches hold.',
    labels: ['kind'],
    samples: ({ stores }) => perKind(stores, ({ bytes }) => bytes),
  },
  reconstruct_cache_objects: {
    help: 'Objects in the caches.',
    labels: ['kind'],
    samples: ({ stores }) => perKind(stores, ({ size }) => size),
  },
  reconstruct_resources: {
    help: 'Resources, by condition, status and reason.',
    labels: ['controller', 'condition', 'status', 'reason'],
    samples: ({ loops }) => loops.flatMap(conditions),
  },
};

/** Registers these metrics for an operator. */
export function registerOperatorMetrics(operator: Operator, registry: Registry): void {
  const figures = operator.loops.flatMap(({ controller }) => Object.entries(controller.metrics ?? {}).map(perResource));
  for (const [name, { help, labels, samples }] of [...Object.entries(observed), ...figures]) {
    new Gauge({
      ...{ name, help, labelNames: [...labels], registers: [registry] },
      collect() {
        this.reset(); // values that no longer exist are removed
        for (const [of, value] of samples(operator)) this.set({ ...of }, value);
      },
    });
  }
}

/** The gauges of a controller for single resources. */
function perResource([name, gauge]: readonly [string, ResourceGauge]): [name: string, observed: Observed] {
  const { help, valueFrom, label, labels = label === undefined ? [] : [label] } = gauge;
  const samples = ({ loops }: Operator) =>
    loops
      .filter(({ controller }) => controller.metrics?.[name] !== undefined)
      .flatMap((loop) => [...loop.resources()])
      .flatMap((resource): Sample[] => {
        const { namespace = '', name: named } = resource.metadata;
        return valuesOf(told(valueFrom, resource), labels).map((one) => [
          { namespace, name: named, ...one.labels },
          one.value,
        ]);
      });
  return [name, { help, labels: ['namespace', 'name', ...labels], samples }];
}

/** The values of one resource, each with the further labels of the gauge. */
function valuesOf(values: ReturnType<ResourceGauge['valueFrom']>, labels: readonly string[]): readonly LabeledValue[] {
  const named = (of: (label: string) => string) => Object.fromEntries(labels.map((label) => [label, of(label)]));
  if (values === undefined) return [];
  if (typeof values === 'number') return [{ labels: named(() => ''), value: values }];
  if (isList(values))
    return values.map((one) => ({ labels: named((label) => one.labels[label] ?? ''), value: one.value }));
  if (labels.length === 0) return [{ labels: {}, value: Number.NaN }];
  return Object.entries(values).map(([of, value]) => ({ labels: named(() => of), value }));
}

function isList(values: object): values is readonly LabeledValue[] {
  return Array.isArray(values);
}

/** NaN if an author's function throws. The failure is then visible, and the other metrics are reported. */
function told(of: ResourceGauge['valueFrom'], resource: CustomResource): ReturnType<ResourceGauge['valueFrom']> {
  try {
    const value: unknown = of(resource);
    if (value === undefined || typeof value === 'number') return value;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, number>>) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function perQueue(help: string, ofRunning: (seconds: readonly number[]) => number): Observed {
  const samples = ({ loops }: Operator) =>
    loops.map(({ controller, load }) => [queueLabels(controller), ofRunning(secondsOf(load))] as const);
  return { help, labels: names, samples };
}

/** A kind that is both owned and read has two caches. Their values are added. */
function perKind(stores: readonly Store[], value: (store: Store) => number): Sample[] {
  const sums = new Map<string, number>();
  for (const store of stores) {
    const { kind } = store.kind;
    sums.set(kind, (sums.get(kind) ?? 0) + value(store));
  }
  return [...sums].map(([kind, sum]) => [{ kind }, sum]);
}

/** Controller-runtime distinguishes a queue from its controller. Here they are the same. */
function queueLabels({ name }: Controller): Labels {
  return { name, controller: name };
}

function depths({ controller, load }: ControllerLoop): Sample[] {
  const priorities = Object.entries(load.waiting) as [Priority, number][];
  return priorities.map(([priority, keys]) => [{ ...queueLabels(controller), priority }, keys]);
}

function secondsOf({ running }: Load): number[] {
  return running.map((ms) => ms / 1000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function longest(values: readonly number[]): number {
  return Math.max(0, ...values);
}

/** Conditions of others are omitted, because the number of their reasons is unknown. */
function conditions(loop: ControllerLoop): Sample[] {
  const { controller } = loop;
  const counts = new Map<string, { labels: Labels; count: number }>();
  for (const resource of loop.resources()) {
    for (const { type, status: says, reason } of reportOf({ ...loop.context, resource }).conditions ?? []) {
      if (!controller.ownedStatus.conditions.has(type)) continue;
      const labels = { controller: controller.name, condition: type, status: says, reason };
      const id = `${type} ${says} ${reason}`;
      counts.set(id, { labels, count: (counts.get(id)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()].map(({ labels, count }) => [labels, count]);
}
