import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { pausedAnnotation } from '../../../../operator/runtime/kubernetes/pause.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap, type Loose } from '../../../given.js';
import { kstatusOf } from '../../../kstatus.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf, type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given?.close());

const spec: WidgetSpec = { maps: { a: { size: '1' } } };
const paused = { annotations: { [pausedAnnotation]: 'true' } };
const sentence = 'The resource is paused: no object is written and no external call is sent';

const say = (wanted: WidgetSpec, metadata: object = {}) => given.given(widgetKind, widget('web', wanted, metadata));
const sizes = async () => {
  const { items } = await given.memory.list(ConfigMap, {});
  return items.map((map) => `${map.metadata.name} ${(map as Loose)['data']?.size}`);
};
const events = async () => {
  const { items } = await given.memory.list(Event, {});
  return items.map((event) => `${(event as Loose)['type']} ${(event as Loose)['reason']}`);
};
const removed = async (kind: typeof ConfigMap | typeof widgetKind, name: string) => {
  const live = await given.memory.read(kind, { namespace: 'team', name });
  await given.memory.remove(kind, { namespace: 'team', name }, { uid: live?.metadata.uid ?? '' });
  await settled();
};

/** What a person and a generic tool read. */
async function readings() {
  const resource = (await given.widget()) as Loose<LiveObject>;
  const condition = (type: string) => {
    const found = conditionOf(resource, type);
    return found && `${found['status']} ${found['reason']}`;
  };
  return {
    kstatus: kstatusOf(resource),
    ready: condition('Ready'),
    reconciling: condition('Reconciling'),
    observed: resource['status']?.observedGeneration,
    message: conditionOf(resource, 'Paused')?.['message'],
  };
}

const calm = { kstatus: 'Current', ready: 'True Ready', reconciling: undefined };
const waiting = { kstatus: 'InProgress', ready: 'Unknown Paused', reconciling: 'True Paused' };
/** The controller finds too few objects, which is worse than the pause. */
const small = { kstatus: 'InProgress', ready: 'False TooSmall', reconciling: 'True Paused' };

interface Row {
  readonly when: string;
  /** What happens before the pause. */
  readonly before?: () => Promise<unknown>;
  /** What happens in it. */
  readonly act?: () => Promise<unknown>;
  readonly reads: object;
  /** The ConfigMaps in the pause, and after it. */
  readonly holds: readonly string[];
  readonly becomes: readonly string[];
  /** The spec that is resumed. */
  readonly resumed?: WidgetSpec;
}

const created = () => say(spec);
const edit: WidgetSpec = { maps: { a: { size: '2' } } };
const other: WidgetSpec = { maps: { b: { size: '1' } } };

describe('R40 a paused resource', () => {
  it.each<Row>([
    {
      when: 'everything is as desired',
      before: created,
      reads: { ...calm, observed: 1, message: sentence },
      holds: ['web-a 1'],
      becomes: ['web-a 1'],
    },
    {
      when: 'it is new',
      reads: { ...small, observed: undefined, message: `${sentence}; not as desired: ConfigMap web-a` },
      holds: [],
      becomes: ['web-a 1'],
    },
    {
      when: 'its spec is edited',
      before: created,
      act: () => say(edit, paused),
      resumed: edit,
      reads: { ...waiting, observed: 1, message: `${sentence}; not as desired: ConfigMap web-a` },
      holds: ['web-a 1'],
      becomes: ['web-a 2'],
    },
    {
      when: 'an object is no longer desired',
      before: created,
      act: () => say(other, paused),
      resumed: other,
      reads: {
        ...small,
        observed: 1,
        message: `${sentence}; not as desired: ConfigMap web-a, which is no longer desired, ConfigMap web-b`,
      },
      holds: ['web-a 1'],
      becomes: ['web-b 1'],
    },
    {
      when: 'its spec is edited, which changes no object',
      before: created,
      act: () => say({ ...spec, workload: false }, paused),
      resumed: { ...spec, workload: false },
      reads: { ...calm, observed: 2, message: sentence },
      holds: ['web-a 1'],
      becomes: ['web-a 1'],
    },
    {
      when: 'an object is changed by hand',
      before: created,
      act: () => given.given(ConfigMap, configMap('web-a', { data: { size: '3' } })),
      reads: { ...waiting, observed: 1, message: `${sentence}; not as desired: ConfigMap web-a` },
      holds: ['web-a 3'],
      becomes: ['web-a 1'],
    },
    {
      when: 'an object is deleted by hand',
      before: created,
      act: () => removed(ConfigMap, 'web-a'),
      reads: { ...small, observed: 1, message: `${sentence}; not as desired: ConfigMap web-a` },
      holds: [],
      becomes: ['web-a 1'],
    },
    {
      when: 'its spec is rejected',
      before: created,
      act: () => say({ rejected: 'no' }, paused),
      resumed: edit,
      reads: { kstatus: 'Failed', ready: 'False NotPossible', observed: 2, message: sentence },
      holds: ['web-a 1'],
      becomes: ['web-a 2'],
    },
    {
      when: 'a name is taken by an object that no watch shows',
      before: () => given.given(ConfigMap, configMap('web-a', { data: { size: '3' } })),
      reads: { ...small, observed: undefined, message: `${sentence}; not as desired: ConfigMap web-a` },
      holds: ['web-a 3'],
      becomes: ['web-a 3'],
    },
  ])('writes its status alone when $when, also in a new process, and is resumed', async (row) => {
    const { act, before, reads, holds, becomes, resumed = spec } = row;
    const memory = new MemoryCluster();
    given = await new GivenOperator({}, memory).start();
    await before?.();
    memory.forgetWrites();
    await say(spec, paused);
    await act?.();
    expect(await readings()).toMatchObject(reads);
    await given.close();
    given = await new GivenOperator({}, memory).start();
    await given.clock.advance(600_000);
    expect(await readings()).toMatchObject(reads);
    expect(await sizes()).toEqual(holds);
    const isReport = (write: string) => /^(apply Widget\/status|(create|patch) Event) team\/web$/.test(write);
    expect(given.writes.filter((write) => !isReport(write) && !write.startsWith('remove ConfigMap'))).toEqual([]);
    await say(resumed);
    await given.clock.advance(60_000);
    expect(await sizes()).toEqual(becomes);
    expect((await readings()).message).toBeUndefined();
    expect(await events()).toEqual(expect.arrayContaining(['Normal Paused', 'Normal Resumed']));
  });

  it('costs nothing at rest, and one reconcile when it is resumed', async () => {
    given = await new GivenOperator().start();
    await created();
    await say(edit, paused);
    given.memory.forgetWrites();
    await given.clock.advance(86_400_000);
    expect(given.writes).toEqual([]);
    given.passes.length = 0;
    await say(edit);
    expect([given.passes, await sizes()]).toEqual([['success'], ['web-a 2']]);
  });

  it('keeps what was found of its objects to the spec that was applied', async () => {
    given = await new GivenOperator().start();
    await created();
    await say(edit, paused);
    const generations = (await given.widget())?.['status'].conditions.map((one: Loose) => [
      one['type'],
      one['observedGeneration'],
    ]);
    expect(Object.fromEntries(generations)).toEqual({ Accepted: 2, Ready: 2, Reconciling: 2, Paused: 2, Sized: 1 });
  });

  it('keeps to the last spec that was applied, if one is accepted and another one rejected in the pause', async () => {
    given = await new GivenOperator().start();
    await created();
    await say(edit, paused);
    await say({ rejected: 'no' }, paused);
    expect((await readings()).message).toBe(sentence);
    await say({ rejected: 'no' });
    await given.clock.advance(60_000);
    expect(await sizes()).toEqual(['web-a 1']);
  });

  it('is deleted with its objects, and its finalizer', async () => {
    given = await new GivenOperator({ controllers: [widgetController({ finalizes: true })] }).start();
    await created();
    await say(spec, paused);
    await removed(widgetKind, 'web');
    await given.clock.advance(60_000);
    expect([await given.widget(), await sizes()]).toEqual([undefined, []]);
  });

  it('has no finalizer while it has no object', async () => {
    given = await new GivenOperator({ controllers: [widgetController({ finalizes: true })] }).start();
    await say(spec, paused);
    expect((await given.widget())?.metadata.finalizers).toBeUndefined();
  });

  it('is deleted by its expiry only when it is resumed', async () => {
    const expiresAt = () => given.clock.now() - 1;
    given = new GivenOperator({ controllers: [widgetController({ expiresAt })] });
    await given.start();
    await say(spec, paused);
    await given.clock.advance(3_600_000);
    expect(await given.widget()).toBeDefined();
    expect(given.passes.length).toBeLessThan(130); // one in each resync
    await say(spec);
    expect(await given.widget()).toBeUndefined();
  });

  it.each([
    { value: 'false', told: undefined },
    {
      value: 'yes',
      told: `Annotation ${pausedAnnotation}: Invalid value: "yes": must be true or false; the resource is not paused`,
    },
  ])('is none if the annotation is $value', async ({ value, told }) => {
    given = await new GivenOperator().start();
    await say(spec, { annotations: { [pausedAnnotation]: value } });
    expect(await sizes()).toEqual(['web-a 1']);
    expect(conditionOf(await given.widget(), 'AnnotationInvalid')?.['message']).toBe(told);
    expect((await events()).includes('Warning InvalidValue')).toBe(told !== undefined);
    await say(spec);
    expect(conditionOf(await given.widget(), 'AnnotationInvalid')).toBeUndefined();
  });

  it.each([
    { onSpecChange: 'restart', when: 'an edit would stop it too' },
    { onSpecChange: 'finish', when: 'an edit would not stop it' },
  ] as const)('stops a reconcile that runs before its next write, if $when', async ({ onSpecChange }) => {
    let answer = () => {};
    const slow = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        const made = await cluster.create(kind, object, options);
        if (kind.kind === ConfigMap.kind) await new Promise<void>((resolve) => (answer = resolve));
        return made;
      },
    });
    given = await new GivenOperator({ faults: slow, controllers: [widgetController({ onSpecChange })] }).start();
    await say({ ...spec, workload: true });
    await say({ ...spec, workload: true }, paused);
    answer();
    await settled();
    expect(given.writes.filter((write) => /^create (?!Event)/.test(write))).toEqual(['create ConfigMap team/web-a']);
    expect((await readings()).message).toContain('Deployment web');
  });

  it('pauses each of its controllers', async () => {
    const name = { name: 'noter', secondaryFor: () => true, owns: [ConfigMap], statusFields: ['note'] } as object;
    const noter = widgetController({ ...name, conditions: {}, assess: () => ({ conditions: {} }) });
    const leader = widgetController({ statusFields: ['size'], owns: [], desire: () => {} } as object);
    given = await new GivenOperator({ controllers: [leader, noter] }).start();
    await say(spec, paused);
    expect(await sizes()).toEqual([]);
    await say(spec);
    expect(await sizes()).toEqual(['web-a 1']);
    expect((await events()).filter((event) => event.endsWith('Resumed'))).toHaveLength(1);
  });

  it('is not reported as paused when it is resumed and then fails', async () => {
    let isRefused = false;
    const refusing = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (isRefused && kind.kind === ConfigMap.kind) throw failure(500, 'InternalError');
        return cluster.create(kind, object, options);
      },
    });
    given = await new GivenOperator({ faults: refusing }).start();
    await say(spec, paused);
    isRefused = true;
    await say(spec);
    await given.clock.advance(1_000);
    expect((await readings()).ready).toBe('Unknown ReconcileFailed');
    expect(conditionOf(await given.widget(), 'Paused')).toBeUndefined();
    expect(await events()).toContain('Normal Resumed');
  });
});
