import { afterEach, describe, expect, it } from 'vitest';
import { contains, driftOf } from '../../../../operator/runtime/fields/contains.js';
import { fieldSetOf } from '../../../../operator/runtime/fields/field-set.js';
import { ConfigMap, Deployment, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { live } from '../../../given.js';
import { bound } from '../given/house.js';
import { noter } from '../given/noter.js';
import { GivenOperator } from '../given/operator.js';
import { reader, readerController, readerKind, secret, themed } from '../given/readers.js';
import { conditionOf, type Widget, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

/** So many levels of objects in one another. */
function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}

const maps = { a: { size: '1' } };
const web = { namespace: 'team', name: 'web' };

/** What a tenant may write into a resource, and how many objects become of it. */
const odd: readonly { what: string; name?: string; children?: number; spec: WidgetSpec & Record<string, unknown> }[] = [
  {
    what: 'a name of 253 characters with dots',
    name: `${'long-name.'.repeat(25)}end`,
    spec: { maps: {} },
    children: 0,
  },
  { what: 'a spec of 1 MB', spec: { maps, blob: 'x'.repeat(1_000_000) } },
  { what: 'a spec of 1,000 levels', spec: { maps, deep: nested(1_000) } },
  { what: 'a list of 100,000 entries', spec: { maps, list: Array.from({ length: 100_000 }, (_, n) => n) } },
  { what: 'many scripts', spec: { maps: { a: { text: 'naïve 東京 🚀 \u202e rtl \u0000' } } } },
  {
    what: 'keys of objects of JavaScript',
    spec: { maps: JSON.parse('{"constructor":{"__proto__":"p"},"tostring":{}}') },
    children: 2,
  },
  { what: 'children that are no objects', spec: { maps: { a: null as unknown as Record<string, string> } } },
];

describe('a resource of a hostile tenant', () => {
  let given: GivenOperator;
  afterEach(async () => {
    await given.stop();
    await given.ended;
  });

  it.each(odd)('R34 is reconciled as any other: $what', async ({ name = 'web', spec, children = 1 }) => {
    given = await new GivenOperator().start();
    await given.given(widgetKind, widget(name, spec));
    expect(given.passes[0]).toBe('success');
    expect((await given.memory.list(ConfigMap, {})).items).toHaveLength(children);
    await given.clock.advance(60_000);
    expect(new Set(given.passes)).not.toContain('error');
  });

  it('R34 that is nested deeper than anybody looks through says so, and stops nobody', async () => {
    given = await new GivenOperator().start();
    await given.given(widgetKind, widget('deep', { maps, deep: nested(1_100) } as WidgetSpec));
    await given.given(widgetKind, widget('web', { maps }));
    expect((await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name)).toEqual(['web-a']);
    await given.clock.advance(10_000); // the first failures are not worth telling
    const said = async (name: string) =>
      conditionOf((await given.memory.read(widgetKind, { namespace: 'team', name })) as Widget, 'Ready');
    expect(await said('web')).toMatchObject({ status: 'True' });
    const message = expect.stringContaining('nested deeper than the 1024 levels that the operator reads');
    expect(await said('deep')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed', message });

    await given.given(widgetKind, widget('deep', { maps, deep: nested(3) } as WidgetSpec));
    expect(await said('deep')).toMatchObject({ status: 'True' });
  });

  it('R34 may own what is nested deeper than anybody looks through, and stops nobody', async () => {
    given = await new GivenOperator().start();
    for (const name of ['deep', 'web']) await given.given(widgetKind, widget(name, { maps }));
    const child = await given.memory.read(ConfigMap, { namespace: 'team', name: 'deep-a' });
    await given.given(ConfigMap, { ...child, data: nested(1_100) } as LiveObject);
    await given.given(widgetKind, widget('web', { maps: { b: {} } }));
    const names = (await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(['deep-a', 'web-b']));
    await given.clock.advance(10_000);
    const deep = (await given.memory.read(widgetKind, { namespace: 'team', name: 'deep' })) as Widget;
    const message = expect.stringMatching(/^ConfigMap team\/deep-a is nested deeper than the 1024 levels /);
    expect(conditionOf(deep, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed', message });
  });

  it('R34 of which a further controller sees what becomes nested too deep is not judged as if that were gone', async () => {
    given = await new GivenOperator({
      controllers: [widgetController({ statusFields: ['size'] } as object), noter],
    }).start();
    await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
    await given.clock.advance(10_000);
    const noted = async () => conditionOf((await given.memory.read(widgetKind, web)) as Widget, 'Noted');
    expect(await noted()).toMatchObject({ status: 'True' });
    const seen = await given.memory.read(Deployment, web);
    await given.given(Deployment, { ...seen, spec: nested(1_100) } as LiveObject);
    await given.clock.advance(10_000);
    const message = expect.stringMatching(/^Deployment team\/web is nested deeper than the 1024 levels /);
    expect(await noted()).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed', message });
  });

  it('R34 is rid of what it does not want, however deep that is', async () => {
    given = await new GivenOperator().start();
    await given.given(widgetKind, widget('web', { maps: { a: {}, b: {} } }));
    const child = await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-b' });
    await given.given(ConfigMap, { ...child, data: nested(1_100) } as LiveObject);
    await given.given(widgetKind, widget('web', { maps: { a: {} } }));
    await given.clock.advance(10_000);
    expect((await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name)).toEqual(['web-a']);
    const web = (await given.memory.read(widgetKind, { namespace: 'team', name: 'web' })) as Widget;
    expect(conditionOf(web, 'Ready')).toMatchObject({ status: 'True' });
  });

  it.each([
    { by: 'its name', levels: 1_100, spec: { key: 'k' }, object: secret('k', 'red'), kind: Secret },
    { by: 'its name', levels: 6_000, spec: { key: 'k' }, object: secret('k', 'red'), kind: Secret },
    { by: 'its labels', levels: 1_100, spec: { theme: 'dark' }, object: themed('k', 'dark', 'red'), kind: ConfigMap },
    { by: 'its labels', levels: 6_000, spec: { theme: 'dark' }, object: themed('k', 'dark', 'red'), kind: ConfigMap },
  ])('R34 who refers by $by to what becomes $levels levels deep says so, and what it made stays', async (row) => {
    const memory = new MemoryCluster();
    await memory.apply(row.kind, row.object, { manager: 'somebody' });
    const deep = <T extends LiveObject>(object: T): T =>
      isDeep && object.metadata.name === 'k' ? { ...object, deep: nested(row.levels) } : object;
    let isDeep = false;
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      read: async (kind, name, options) => {
        const found = await cluster.read(kind, name, options);
        return found && deep(found);
      },
      list: async (kind, query) => {
        const page = await cluster.list(kind, query);
        return { ...page, items: page.items.map(deep) };
      },
      watch: async function* (kind, query) {
        for await (const news of cluster.watch(kind, query))
          yield news.type === 'ADDED' || news.type === 'MODIFIED' ? { ...news, object: deep(news.object) } : news;
      },
    });
    given = await new GivenOperator({ controllers: [readerController], faults }, memory).start();
    await given.given(readerKind, reader('web', row.spec));
    const made = async () => (await memory.read(ConfigMap, { namespace: 'team', name: 'web-saw' })) as object;
    const before = await made();
    isDeep = true;
    await given.given(row.kind, { ...row.object, immutable: false } as Manifest);
    await given.clock.advance(10_000);
    expect(await made()).toEqual(before);
    const message = expect.stringMatching(
      new RegExp(`^${row.kind.kind} team/k is nested deeper than the 1024 levels `),
    );
    const said = (await memory.read(readerKind, { namespace: 'team', name: 'web' })) as Widget;
    expect(conditionOf(said, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed', message });
  });

  it('R34 may have 10,000 children, of which none is written twice', async () => {
    given = await new GivenOperator().start();
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`c${n}`, { size: '1' }]));
    await given.given(widgetKind, widget('web', { maps: many }));
    expect((await given.memory.list(ConfigMap, {})).items).toHaveLength(10_000);
    expect(given.writes.filter((write) => write !== 'create Event team/web')).toHaveLength(10_001);
    expect(given.writes).toHaveLength(10_002);
    await given.clock.advance(30_000);
    expect(given.writes.filter((write) => write !== 'create Event team/web')).toHaveLength(10_001);
    expect(given.writes).toHaveLength(10_002);
  });
});

describe('fields of objects of JavaScript', () => {
  it.each(['constructor', 'toString', '__proto__'])('R34 are compared as any other: %s', (field) => {
    const given = (value: string) => live(JSON.parse(`{"metadata":{},"${field}":[{"name":"${value}"}]}`));
    const [a, b, none] = [given('a'), given('b'), live(JSON.parse('{"metadata":{}}'))];
    expect([contains(a, given('a')), contains(a, b), contains(none, a)]).toEqual([true, false, false]);
    expect([driftOf(a, given('a')), driftOf(a, b), driftOf(none, a)]).toEqual([[], [[field]], [[field]]]);
    expect(fieldSetOf(a)).not.toEqual(fieldSetOf(none));
  });
});
