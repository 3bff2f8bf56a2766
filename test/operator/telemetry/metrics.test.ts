import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { controllers } from '../../../operator/controllers/index.js';
import type { LabeledValue } from '../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../operator/runtime/controller/custom-resource.js';
import type { LiveObject, Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../operator/runtime/ports/telemetry.js';
import { Metrics } from '../../../operator/telemetry/metrics.js';
import { settled } from '../fake-clock.js';
import { bound } from '../runtime/given/house.js';
import { GivenOperator } from '../runtime/given/operator.js';
import { widget, widgetController, widgetKind } from '../runtime/given/widgets.js';
import { lines } from './given-metrics.js';

let given: GivenOperator | undefined;
afterEach(async () => {
  await given?.stop();
  await given?.ended;
});

it('reports the current lag of the event loop without a timer', async () => {
  const names = (await lines(new Metrics(), 'nodejs_eventloop')).map((line) => line.split(' ')[0]);
  expect(names).toEqual(['nodejs_eventloop_lag_seconds']);
});

describe('what is read off a running operator', () => {
  it('R32 is its load, its limits, and the age of its watches', async () => {
    const metrics = new Metrics();
    given = await new GivenOperator().start();
    metrics.observe(given.operator);
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(12_000);
    expect(await lines(metrics, 'reconstruct_watch_age_seconds{kind="Service"')).toEqual([
      'reconstruct_watch_age_seconds{kind="Service",namespace=""} 12',
    ]);
    expect(await lines(metrics, 'workqueue_depth')).toEqual(
      ['edit', 'event', 'routine'].map(
        (priority) => `workqueue_depth{name="widget",controller="widget",priority="${priority}"} 0`,
      ),
    );
    expect(await lines(metrics, 'controller_runtime_active_workers')).toEqual([
      'controller_runtime_active_workers{controller="widget"} 0',
    ]);
    expect(await lines(metrics, 'controller_runtime_max_concurrent_reconciles')).toEqual([
      'controller_runtime_max_concurrent_reconciles{controller="widget"} 4',
    ]);
  });

  it('R9 is what the caches hold, in objects and in bytes', async () => {
    const metrics = new Metrics();
    given = await new GivenOperator().start();
    metrics.observe(given.operator);
    const { metadata } = await given.given(widgetKind, widget('web'));
    expect(await lines(metrics, 'reconstruct_cache_objects{kind="Widget"}')).toEqual([
      'reconstruct_cache_objects{kind="Widget"} 1',
    ]);
    const [bytes = ''] = await lines(metrics, 'reconstruct_cache_bytes{kind="Widget"}');
    expect(Number(bytes.split(' ')[1])).toBeGreaterThan(200);
    await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await settled();
    expect(await lines(metrics, 'reconstruct_cache_bytes{kind="Widget"}')).toEqual([
      'reconstruct_cache_bytes{kind="Widget"} 0',
    ]);
  });

  it('R32 is for how long the passes that run have been running', async () => {
    const metrics = new Metrics();
    const hanging: Cluster['create'] = () => new Promise(() => {});
    const stuck = await new GivenOperator({ faults: (cluster) => ({ ...bound(cluster), create: hanging }) }).start();
    metrics.observe(stuck.operator);
    await stuck.given(widgetKind, widget('slow'));
    await stuck.clock.advance(2_000);
    await stuck.given(widgetKind, widget('slower'));
    await stuck.clock.advance(3_000);
    const labels = '{name="widget",controller="widget"}';
    expect(await lines(metrics, 'workqueue_unfinished')).toEqual([`workqueue_unfinished_work_seconds${labels} 8`]);
    expect(await lines(metrics, 'workqueue_longest')).toEqual([
      `workqueue_longest_running_processor_seconds${labels} 5`,
    ]);
  });

  it('R32 is how many resources say what, until they are gone', async () => {
    const metrics = new Metrics();
    given = await new GivenOperator().start();
    metrics.observe(given.operator);
    for (const name of ['web', 'shop']) await given.given(widgetKind, widget(name));
    const accepted = 'reconstruct_resources{controller="widget",condition="Accepted"';
    expect(await lines(metrics, accepted)).toEqual([`${accepted},status="True",reason="Valid"} 2`]);
    const { metadata } = (await given.widget('web')) as LiveObject;
    await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await settled();
    expect(await lines(metrics, accepted)).toEqual([`${accepted},status="True",reason="Valid"} 1`]);
  });

  it('is a figure of each resource that has one, by namespace and name', async () => {
    const metrics = new Metrics();
    const of = ({ spec }: CustomResource) => (spec as { size?: number } | undefined)?.size;
    const controller = { ...widgetController(), metrics: { widget_size: { help: 'How large it is.', valueFrom: of } } };
    given = await new GivenOperator({ controllers: [controller] }).start();
    metrics.observe(given.operator);
    await given.given(widgetKind, { ...widget('small'), spec: { size: 3 } } as Manifest);
    const { metadata } = await given.given(widgetKind, { ...widget('large'), spec: { size: 9 } } as Manifest);
    await given.given(widgetKind, { ...widget('unknown'), spec: {} } as Manifest);
    expect((await lines(metrics, 'widget_size')).toSorted()).toEqual([
      'widget_size{namespace="team",name="large"} 9',
      'widget_size{namespace="team",name="small"} 3',
    ]);
    await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await settled();
    expect(await lines(metrics, 'widget_size')).toEqual(['widget_size{namespace="team",name="small"} 3']);
  });

  it('is several figures of each resource, by a further label', async () => {
    const metrics = new Metrics();
    const figures = { widget_parts: { help: 'Parts.', label: 'part', valueFrom: () => ({ left: 1, right: 2 }) } };
    given = await new GivenOperator({ controllers: [{ ...widgetController(), metrics: figures }] }).start();
    metrics.observe(given.operator);
    await given.given(widgetKind, widget('web'));
    expect(await lines(metrics, 'widget_parts')).toEqual([
      'widget_parts{namespace="team",name="web",part="left"} 1',
      'widget_parts{namespace="team",name="web",part="right"} 2',
    ]);
  });

  it('is several figures of each resource, by several further labels', async () => {
    const metrics = new Metrics();
    const valueFrom = (): readonly LabeledValue[] => [
      { labels: { part: 'left', side: 'up', unknown: 'x' }, value: 1 },
      { labels: { part: 'right' }, value: 2 },
    ];
    const figures = { widget_parts: { help: 'Parts.', labels: ['part', 'side'], valueFrom } };
    given = await new GivenOperator({ controllers: [{ ...widgetController(), metrics: figures }] }).start();
    metrics.observe(given.operator);
    await given.given(widgetKind, widget('web'));
    expect(await lines(metrics, 'widget_parts')).toEqual([
      'widget_parts{namespace="team",name="web",part="left",side="up"} 1',
      'widget_parts{namespace="team",name="web",part="right",side=""} 2',
    ]);
  });

  it.each<[what: string, of: (resource: CustomResource) => unknown]>([
    ['it is by a label that is not declared', () => ({ left: 1 })],
    ['it throws', (resource) => (resource.spec as { absent: { deep: number } }).absent.deep],
    ['it is no number', () => 'nine'],
  ])('is not a number where %s, and the other metrics are told', async (_, of) => {
    const metrics = new Metrics();
    const figures = { widget_size: { help: 'How large it is.', valueFrom: of as () => number } };
    given = await new GivenOperator({ controllers: [{ ...widgetController(), metrics: figures }] }).start();
    metrics.observe(given.operator);
    await given.given(widgetKind, widget('web'));
    expect(await lines(metrics, 'widget_size')).toEqual(['widget_size{namespace="team",name="web"} Nan']);
    expect(await lines(metrics, 'reconstruct_resources')).not.toEqual([]);
  });

  it('R32 begins at 0, so that the first of anything shows in a rate', async () => {
    const metrics = new Metrics();
    metrics.observe(new GivenOperator().operator);
    expect(await lines(metrics, 'controller_runtime_reconcile_total')).toEqual(
      ['success', 'requeue_after', 'requeue', 'error'].map(
        (result) => `controller_runtime_reconcile_total{controller="widget",result="${result}"} 0`,
      ),
    );
    expect(await lines(metrics, 'controller_runtime_reconcile_errors_total')).toHaveLength(1);
  });
});

/** What the dashboards ask for that come with kubebuilder's Grafana plug-in and with kubernetes-mixin. */
const asked: readonly [metric: string, labels: readonly string[]][] = [
  ['controller_runtime_reconcile_total', ['controller', 'result']],
  ['controller_runtime_reconcile_errors_total', ['controller']],
  ['controller_runtime_reconcile_time_seconds_bucket', ['controller', 'le']],
  ['controller_runtime_active_workers', ['controller']],
  ['controller_runtime_max_concurrent_reconciles', ['controller']],
  ['workqueue_depth', ['name', 'controller']],
  ['workqueue_adds_total', ['name', 'controller']],
  ['workqueue_retries_total', ['name', 'controller']],
  ['workqueue_unfinished_work_seconds', ['name', 'controller']],
  ['workqueue_longest_running_processor_seconds', ['name', 'controller']],
  ['workqueue_queue_duration_seconds_bucket', ['name', 'controller', 'le']],
  ['workqueue_work_duration_seconds_bucket', ['name', 'controller', 'le']],
  ['rest_client_requests_total', ['code', 'method', 'host']],
  ['rest_client_request_duration_seconds_bucket', ['verb', 'host', 'le']],
  ['leader_election_master_status', ['name']],
  ['process_cpu_seconds_total', []],
  ['process_resident_memory_bytes', []],
];

describe('the metrics that dashboards of controller-runtime query', () => {
  it.each(asked)('R32 is there: %s', async (metric, labels) => {
    const metrics = new Metrics();
    metrics.observe(new GivenOperator().operator);
    metrics.answersOf('api:443')({ method: 'GET', code: 200, seconds: 1 });
    metrics.telemetry(silent.log).leaderChanged({ name: 'reconstruct', leads: false });
    const text = await metrics.registry.metrics();
    const [line = ''] = text.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
    expect(line, `a line of ${metric}`).not.toBe('');
    expect(labels.filter((label) => !line.includes(`${label}="`))).toEqual([]);
  });

  it('R32 has the bounds of controller-runtime', async () => {
    const bounds = async (name: string) => {
      const metrics = new Metrics();
      metrics.observe(new GivenOperator().operator);
      const text = await metrics.registry.metrics();
      return [...text.matchAll(new RegExp(`^${name}_bucket.*le="([^"]*)"`, 'gm'))].map(([, bound]) => bound);
    };
    const pass = await bounds('controller_runtime_reconcile_time_seconds');
    expect(pass.join(' ')).toMatch(/^0.005 0.01 0.025 0.05 0.1 0.15 .* 40 50 60 \+Inf$/);
    expect(pass).toHaveLength(41);
    expect((await bounds('workqueue_queue_duration_seconds')).join(' ')).toBe(
      '1e-8 1e-7 0.000001 0.00001 0.0001 0.001 0.01 0.1 1 10 100 1000 +Inf',
    );
  });
});

describe('docs/operator/metrics.md', () => {
  it('R32 has a line for each metric of ours', async () => {
    const metrics = new Metrics();
    metrics.observe(new GivenOperator().operator);
    const all = (await metrics.registry.getMetricsAsJSON()) as unknown as Described[];
    const ours = all.filter(({ name }) => !/^(process|nodejs)_/.test(name));
    const page = readFileSync('docs/operator/metrics.md', 'utf8');
    expect(ours.map((metric) => rowOf(metric, metrics)).filter((row) => !page.includes(row))).toEqual([]);
    const figures = controllers.flatMap((controller) => Object.entries(controller.metrics ?? {}));
    const rows = figures.map(([name, { help, label, labels: further = label === undefined ? [] : [label] }]) => {
      const labels = ['namespace', 'name', ...further].join(', ');
      return `| \`${name}\` | gauge | ${labels} | ${help} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
    const documented = page.match(/^\| `\w+` \| (counter|gauge|histogram) \|/gm);
    expect(documented).toHaveLength(ours.length + figures.length);
  });
});

interface Described {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

function rowOf({ name, type, help }: Described, { registry }: Metrics): string {
  const { labelNames } = registry.getSingleMetric(name) as unknown as { readonly labelNames: readonly string[] };
  return `| \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |`;
}
