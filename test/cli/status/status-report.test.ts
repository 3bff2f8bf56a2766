import { describe, expect, it } from 'vitest';
import { vocabularyOf } from '../../../cli/reasons/vocabulary.js';
import type { KnownKind } from '../../../cli/status/known-kinds.js';
import { reportLines } from '../../../cli/status/report-lines.js';
import { statusReport } from '../../../cli/status/status-report.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Deployment, groupKindOf, type ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { Trial } from '../../../operator/testing/contract/trial/trial.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap } from '../../given.js';
import { gatherer, gathererController, gathererKind } from '../../operator/runtime/given/pollers.js';
import { reachingController } from '../../operator/runtime/given/reach.js';
import { add, widget, widgetController, widgetKind } from '../../operator/runtime/given/widgets.js';
import { now } from './given-conditions.js';

const at = { namespace: 'team', name: 'shop' };
const known = (kind: ObjectKind, ...controllers: readonly Controller[]): KnownKind => ({
  ...{ kind, controllers },
  vocabulary: controllers.length === 0 ? undefined : vocabularyOf(groupKindOf(kind), controllers),
});

/** A Widget that its operator has reconciled an hour ago. */
async function given(spec: object, controller = widgetController()) {
  const memory = new MemoryCluster({ now: () => now - 3_600_000 });
  await memory.create(widgetKind, widget('shop', spec), { manager: 'user' });
  await new Trial(controller, memory).rest(widget('shop', spec));
  const report = (cluster: Cluster = memory, ...by: readonly Controller[]) =>
    statusReport(known(widgetKind, ...(by.length > 0 ? by : [controller])), at, { cluster, now });
  return { memory, report };
}

const titles = (objects: Awaited<ReturnType<typeof statusReport>>['objects']) =>
  objects.map(({ kind, name, health }) => `${kind} ${name} ${health.state}`);
const spec = { maps: { a: { size: '1' } }, workload: true };

describe('the objects of a resource', () => {
  it('are in the order of their waves, with their health', async () => {
    const { report } = await given(spec);
    expect(titles((await report()).objects)).toEqual([
      'ConfigMap shop-a Ready',
      'Service shop Ready',
      'Deployment shop NotReady',
      'HorizontalPodAutoscaler shop Ready',
    ]);
  });

  it('come after the objects that they depend on', async () => {
    const controller = widgetController({
      desire: (scope, { resource: { metadata } }) => {
        const map = add(scope, 'v1', 'ConfigMap', `${metadata.name}-late`);
        map.node.addDependency(add(scope, 'apps/v1', 'Deployment', metadata.name, { spec: {} }));
      },
    });
    const { report } = await given(spec, controller);
    expect(titles((await report()).objects)).toEqual(['Deployment shop NotReady', 'ConfigMap shop-late Ready']);
  });

  it('may be in other namespaces, which the resource lists', async () => {
    const { report } = await given({ maps: ['other/far'] }, reachingController());
    expect((await report()).objects).toMatchObject([{ namespace: 'other', name: 'far' }, { name: 'shop-near' }]);
  });

  it('include what the operator has not created, in its wave', async () => {
    const { memory, report } = await given(spec);
    const service = [
      ...memory.peek({ ...Deployment, group: '', version: 'v1', kind: 'Service', plural: 'services' }).values(),
    ][0];
    await memory.remove(
      { ...Deployment, group: '', version: 'v1', kind: 'Service', plural: 'services' },
      service?.metadata ?? expect.fail(),
      { uid: service?.metadata.uid ?? '' },
    );
    const { objects } = await report();
    expect(titles(objects)[1]).toBe('Service shop Missing');
    expect(objects[1]?.health.message).toBe('The operator has not created it');
  });

  it('include one of the desired name that belongs to another owner', async () => {
    const memory = new MemoryCluster();
    await memory.create(widgetKind, widget('shop', { maps: { a: {} } }), { manager: 'user' });
    await memory.create(ConfigMap, configMap('shop-a'), { manager: 'user' });
    const { objects } = await statusReport(known(widgetKind, widgetController()), at, { cluster: memory, now });
    expect(objects).toMatchObject([
      { name: 'shop-a', health: { state: 'NotReady', message: 'It belongs to another owner' } },
    ]);
  });

  it('leave out those of others, and those of a kind that the user may not list, with a note', async () => {
    const { memory, report } = await given(spec);
    await memory.create(ConfigMap, configMap('other', { labels: { 'reconstruct.dev/controller': 'widget' } }), {
      manager: 'user',
    });
    const refusing = {
      read: memory.read.bind(memory),
      list: async (...[kind, query]: Parameters<Cluster['list']>) => {
        if (kind.kind === 'Service') throw new ApiError('services is forbidden', { code: 403, reason: 'Forbidden' });
        return memory.list(kind, query);
      },
    } as Cluster;
    const { objects, notes } = await report(refusing);
    expect(titles(objects)).toEqual([
      'ConfigMap shop-a Ready',
      'Deployment shop NotReady',
      'HorizontalPodAutoscaler shop Ready',
    ]);
    expect(notes).toEqual(['Service is not shown: services is forbidden']);
  });

  it('are those that exist if what is desired depends on a poll', async () => {
    const memory = new MemoryCluster();
    await memory.create(gathererKind, gatherer('shop', { question: 'q' }), { manager: 'user' });
    const { objects } = await statusReport(known(gathererKind, gathererController as Controller), at, {
      cluster: memory,
      now,
    });
    expect(objects).toEqual([]);
  });

  it('are those that exist if the spec is rejected', async () => {
    const { report } = await given({ ...spec, rejected: 'no' });
    expect((await report()).objects).toEqual([]);
  });
});

describe('the screen', () => {
  it('has what is wrong and what to do first, then conditions, objects and tables', async () => {
    const assess: Controller['assess'] = () => ({
      conditions: { Sized: { reason: 'TooSmall', message: 'It is \u001b[31m1' } },
      status: { size: 1 },
    });
    const controller = widgetController({
      assess,
      tables: ({ objects, resource }) => [
        {
          title: `Sizes of ${resource.metadata.name}`,
          rows: [
            { MAP: 'a', SIZE: 1 },
            { MAP: undefined, SIZE: objects.length },
          ],
        },
        { rows: [] },
      ],
    });
    const { report } = await given({ maps: { a: {} } }, controller);
    const lines = reportLines(await report(), now);
    expect(lines).toEqual([
      'Widget team/shop: Sized TooSmall: It is \\u001b[31m1',
      'To do: Raise it.',
      '',
      'CONDITION  STATUS  REASON    AGE',
      expect.stringMatching(/^Accepted {3}True {4}Valid {5}\d+d$/),
      expect.stringMatching(/^Sized {6}False {3}TooSmall {2}\d+d$/),
      expect.stringMatching(/^Ready {6}False {3}TooSmall {2}\d+d$/),
      '',
      'OBJECT     NAME    HEALTH  AGE',
      'ConfigMap  shop-a  Ready   1h',
      '',
      'Sizes of shop',
      'MAP  SIZE',
      'a    1',
      '-    1',
    ]);
  });

  it('has further problems and what is in progress, alike', () => {
    const problem = {
      isProgress: false,
      type: 'Served',
      reason: 'Down',
      message: 'It is down\n  since noon',
      action: 'Start it.',
    };
    const problems = [
      problem,
      { ...problem, type: 'Archived' },
      { ...problem, type: 'UpToDate', isProgress: true, action: undefined as never },
    ];
    const report = {
      kind: 'Widget',
      ...at,
      problems,
      conditions: [],
      objects: [],
      tables: [],
      notes: ['Pod is not shown'],
    };
    expect(reportLines(report, now)).toEqual([
      'Widget team/shop: Served Down: It is down since noon',
      'To do: Start it.',
      '',
      'Further problems:',
      '  Archived Down: It is down since noon',
      '    To do: Start it.',
      '',
      'In progress:',
      '  UpToDate Down: It is down since noon',
      '',
      'Pod is not shown',
    ]);
    expect(reportLines({ ...report, problems: [], notes: [] }, now)).toEqual(['Widget team/shop: No problems.']);
  });

  it('has at most 40 objects, first those that are not ready', () => {
    const object = (index: number) => ({
      kind: 'Pod',
      namespace: 'team',
      name: `p${index}`,
      health: { state: index === 49 ? ('NotReady' as const) : ('Ready' as const) },
    });
    const objects = Array.from({ length: 50 }, (_, index) => object(index));
    const lines = reportLines(
      { kind: 'Widget', ...at, problems: [], conditions: [], objects, tables: [], notes: [] },
      now,
    );
    expect(lines[3]).toMatch(/^Pod +p49 +NotReady/);
    expect(lines.at(-1)).toBe('and 10 more');
  });
});

describe('a report', () => {
  it('goes on if a table cannot be made', async () => {
    const broken = () => {
      throw new Error('no such field');
    };
    const { report } = await given({ maps: { a: {} } }, widgetController({ tables: broken }));
    expect(await report()).toMatchObject({
      ready: 'True',
      tables: [],
      notes: ['the tables of controller widget are not shown, because its function tables failed: no such field'],
    });
  });

  it('of a kind without a controller has its conditions, and how to get actions', async () => {
    const { memory } = await given({ maps: { a: {} } });
    const report = await statusReport(known(widgetKind), at, { cluster: memory, now });
    expect(report.conditions.length).toBeGreaterThan(1);
    expect(report).toMatchObject({
      objects: [],
      notes: [
        'actions and objects of Widget are not known; to show them, give the module of its controller with --module',
      ],
    });
  });

  it('needs a resource', async () => {
    const { memory } = await given({});
    await expect(statusReport(known(widgetKind), { ...at, name: 'shup' }, { cluster: memory, now })).rejects.toThrow(
      'Widget team/shup not found; check the name and --namespace',
    );
  });
});
