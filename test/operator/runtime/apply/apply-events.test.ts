import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap, type Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const spec = (maps: WidgetSpec['maps'] = { a: { size: '1' } }): WidgetSpec => ({ maps: { ...maps } });
const say = (wanted: WidgetSpec) => given.given(widgetKind, widget('web', wanted));

async function removed(name: string): Promise<void> {
  const at = { namespace: 'team', name };
  await given.memory.remove(ConfigMap, at, { uid: (await given.memory.read(ConfigMap, at))?.metadata.uid ?? '' });
  await settled();
}

async function notes(): Promise<string[]> {
  const { items } = await given.memory.list(Event, {});
  return items.map((event) => `${(event as Loose)['type']} ${(event as Loose)['reason']}: ${(event as Loose)['note']}`);
}

const created = 'Normal Created: Created ConfigMap web-a';

describe('R32 the events of a resource tell', () => {
  it.each<{ what: string; act: () => Promise<unknown>; tells: readonly string[] }>([
    { what: 'nothing more of a resource that is reconciled again', act: () => given.clock.advance(600_000), tells: [] },
    { what: 'nothing more of a change that the spec wants', act: () => say(spec({ a: { size: '2' } })), tells: [] },
    {
      what: 'that another client deleted an object',
      act: () => removed('web-a'),
      tells: ['Normal Recreated: Created again what another client deleted: ConfigMap web-a'],
    },
    {
      what: 'which fields another client changed',
      act: () => given.given(ConfigMap, configMap('web-a', { data: { size: '3' } })),
      tells: ['Normal DriftCorrected: Changed back data.size of ConfigMap web-a'],
    },
    {
      what: 'which edit deleted an object',
      act: () => say(spec({ b: {} })),
      tells: [
        'Normal Created: Created ConfigMap web-b',
        'Normal Pruned: Deleted what is no longer desired by generation 2 of Widget web: ConfigMap web-a',
      ],
    },
    {
      what: 'no other client of an object that the operator deleted itself',
      act: async () => {
        await say(spec({}));
        await say(spec());
      },
      tells: [
        'Normal Pruned: Deleted what is no longer desired by generation 2 of Widget web: ConfigMap web-a',
        `${created} (2)`,
      ],
    },
  ])('$what', async ({ act, tells }) => {
    given = await new GivenOperator().start();
    await say(spec());
    await given.clock.advance(1);
    await act();
    await settled();
    const counted = (await given.memory.list(Event, {})).items.map((event) => (event as Loose)['series']?.count);
    const said = (await notes()).map((note, at) => (counted[at] === undefined ? note : `${note} (${counted[at]})`));
    const first = tells.includes(`${created} (2)`) ? [] : [created];
    expect(said.toSorted()).toEqual([...first, ...tells].toSorted());
  });

  it('of an object that is deleted before its first process knows it only that it was created', async () => {
    const memory = new MemoryCluster();
    given = await new GivenOperator({}, memory).start();
    await say(spec());
    await given.close();
    await removed('web-a');
    given = await new GivenOperator({}, memory).start();
    expect((await notes()).filter((note) => !note.includes('Created ConfigMap web-a'))).toEqual([]);
    expect(await memory.read(ConfigMap, { namespace: 'team', name: 'web-a' })).toBeDefined();
  });

  it('what has changed if the spec has not', async () => {
    const { desire } = widgetController();
    const controller = widgetController({
      desire: (scope, facts) => {
        if (!facts.owned.of(ConfigMap).some(({ metadata }) => metadata.name === 'web-a')) desire(scope, facts);
      },
    });
    given = await new GivenOperator({ controllers: [controller] }).start();
    await say(spec());
    await given.clock.advance(5_000);
    expect(await notes()).toContainEqual(
      'Normal Pruned: Deleted what is no longer desired in the present state of Widget web: ConfigMap web-a',
    );
  });

  it('in one event what one reconcile created, cut at 1,024 bytes', async () => {
    given = await new GivenOperator().start();
    const names = Array.from({ length: 500 }, (_, n) => `${'x'.repeat(40)}-${n}`);
    await say(spec(Object.fromEntries(names.map((name) => [name, {}]))));
    const [note = '', ...others] = await notes();
    expect(others).toEqual([]);
    expect(note).toMatch(/^Normal Created: Created ConfigMap web-x+-\d+, .* and \d+ more$/);
    expect(Buffer.byteLength(note)).toBeLessThan(1_024);
    const shown = note.split(', ').length;
    expect(note).toContain(` and ${500 - shown} more`);
  });

  it('what was created, though another object fails', async () => {
    const failing = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (object.metadata.name === 'web-b') throw failure(500, 'InternalError');
        return cluster.create(kind, object, options);
      },
    });
    given = await new GivenOperator({ faults: failing }).start();
    await say(spec({ a: {}, b: {} }));
    expect(await notes()).toEqual([created]);
  });

  it('nothing of values, which may be secret', async () => {
    given = await new GivenOperator().start();
    await say(spec({ a: { password: 'swordfish' } }));
    await given.given(ConfigMap, configMap('web-a', { data: { password: 'herring' } }));
    expect(JSON.stringify((await given.memory.list(Event, {})).items)).not.toMatch(/swordfish|herring/);
  });

  it('nothing if the API server refuses events, and the reconcile succeeds', async () => {
    const refusing = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (kind.kind === Event.kind) throw failure(403, 'Forbidden');
        return cluster.create(kind, object, options);
      },
    });
    given = await new GivenOperator({ faults: refusing }).start();
    await say(spec());
    expect(given.passes).toEqual(['success']);
  });
});
