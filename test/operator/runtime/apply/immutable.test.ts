import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, PersistentVolumeClaim } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { allowRecreation } from '../../../../operator/runtime/rendering/object-policies.js';
import { cutCluster } from '../../../../operator/testing/contract/trial/cut-cluster.js';
import { configMap, type Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, somebody } from '../given/house.js';
import { ImmutableHouse, inTheWay, invalid, one, strict } from '../given/immutable.js';
import { add, conditionOf, widgetController } from '../given/widgets.js';

let house: ImmutableHouse;
afterEach(() => house.close());
const open = (props: ConstructorParameters<typeof ImmutableHouse>[0] = {}) => {
  house = new ImmutableHouse(props);
  return house;
};

const why = 'ConfigMap web-a: data.fixed is immutable: revert the edit, or delete the ConfigMap to have it recreated';

describe('an object whose immutable field would have to change', () => {
  test('R20 is left as it is by default, and its resource says which field, and what to do', async () => {
    const house = open();
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget(one('2', { workload: true }));
    expect(await house.pass()).toEqual(['apply Widget/status team/web']); // nothing of the later waves
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { fixed: '1' } });
    for (const [type, status] of Object.entries({ Blocked: 'True', Ready: 'False', Stalled: 'True' })) {
      const said = conditionOf(await house.widget(), type);
      expect(said, type).toMatchObject({ status, reason: 'ImmutableField', message: why, observedGeneration: 2 });
    }
    expect(await house.events()).toEqual(['Normal Created: Created ConfigMap web-a', `Warning ImmutableField: ${why}`]);
    expect(house.seen.removals).toEqual([]);
  });

  test('R20 is not asked for again while nothing changes, and once in ten minutes all the same', async () => {
    const house = open();
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget(one('2'));
    for (let n = 0; n < 10; n++) await house.pass();
    expect(house.seen.attempts).toBe(1);
    expect(house.recheck).toBe(600_000);
    await house.clock.advance(house.recheck ?? 0);
    await house.pass();
    expect(house.seen.attempts).toBe(2);
  });

  test('R20 holds up none of its siblings', async () => {
    const house = open();
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget(one('2', { maps: { b: { size: '1' } } }));
    expect(await house.pass()).toContain('create ConfigMap team/web-b');
  });

  test.each([
    { when: 'the edit is undone', act: () => house.givenWidget(one('1')), writes: 0 },
    { when: 'it is deleted', act: () => house.removed(ConfigMap, 'web-a'), writes: 1 },
  ])('R20 is as desired when $when, and nothing is said any more', async ({ act, writes }) => {
    const house = open();
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget(one('2'));
    await house.pass();
    await act();
    expect(await house.pass()).toHaveLength(writes + 1);
    expect(conditionOf(await house.widget(), 'Blocked')).toBeUndefined();
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  test('R20 is recreated in one reconcile if its construct allows it', async () => {
    const house = open({ recreate: true });
    await house.givenWidget(one('1'));
    await house.pass();
    const before = await house.read(ConfigMap, 'web-a');
    await house.givenWidget(one('2'));
    expect(await house.pass()).toEqual([
      'remove ConfigMap team/web-a',
      'create ConfigMap team/web-a',
      'apply Widget/status team/web',
    ]);
    const after = await house.read(ConfigMap, 'web-a');
    expect(after).toMatchObject({ data: { fixed: '2' } });
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(house.seen.removals).toEqual(['ConfigMap Background']);
    expect(await house.events()).toEqual([
      'Normal Created: Created ConfigMap web-a',
      'Normal Recreated: Deleted ConfigMap web-a to recreate it: data.fixed is immutable',
    ]);
    expect(await house.pass()).toEqual([]);
  });

  const replaced = (value: string) => [{ op: 'replace', path: '/data/fixed', value }] as const;

  test.each([false, true])(
    'R18 R20 that somebody else changed is left as it is, and its resource says who it was, recreation allowed: %s',
    async (recreate) => {
      const house = open({ recreate });
      await house.givenWidget(one('1'));
      await house.pass();
      await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, replaced('theirs'), somebody);
      await settled();
      expect(await house.pass()).toEqual(['apply Widget/status team/web']);
      expect(conditionOf(await house.widget(), 'Blocked')).toMatchObject({ status: 'True', message: inTheWay });
      expect(house.seen.removals).toEqual([]);
      await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, replaced('1'), somebody);
      await settled();
      await house.pass();
      expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
    },
  );

  test.each([false, true])(
    'R17 R20 that the server completed as it was made is as desired, in a later process too, recreation allowed: %s',
    async (recreate) => {
      const completed = (cluster: Cluster) => ({
        ...bound(cluster),
        create: async (...[kind, object, options]: Parameters<Cluster['create']>) => {
          const { data } = object as Loose<Manifest>;
          return cluster.create(
            kind,
            data?.fixed ? ({ ...object, data: { fixed: 'completed' } } as Manifest) : object,
            options,
          );
        },
      });
      const house = open({ recreate, faults: completed });
      await house.givenWidget(one('1'));
      await house.pass();
      const { metadata } = await house.read(ConfigMap, 'web-a');
      for (const _ of [1, 2]) {
        house.seen.attempts = 0;
        for (let n = 0; n < 3; n++) await house.pass();
        expect(house.seen.attempts).toBe(1);
        expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
        house.restart();
      }
      expect((await house.read(ConfigMap, 'web-a')).metadata.uid).toBe(metadata.uid);
      expect(house.seen.removals).toEqual([]);
    },
  );

  test('R20 that holds data, and that somebody else changed too, is not deleted by an edit', async () => {
    let size = 1;
    const shrinks = (cluster: Cluster) => ({
      ...bound(cluster),
      apply: async (...[kind, object, options]: Parameters<Cluster['apply']>) => {
        const wanted = (object as Loose<Manifest>)['spec']?.size;
        const live = (await cluster.read(kind, object.metadata)) as Loose<Manifest> | undefined;
        if (kind === PersistentVolumeClaim && wanted < live?.['spec']?.size) throw invalid('spec.size');
        return cluster.apply(kind, object, options);
      },
    });
    const controller = widgetController({
      owns: [PersistentVolumeClaim],
      desire: (scope) => {
        allowRecreation(add(scope, 'v1', 'PersistentVolumeClaim', 'web', { spec: { size } }));
      },
    });
    const house = open({ controller, faults: shrinks });
    await house.givenWidget();
    await house.pass();
    const grown = [{ op: 'replace', path: '/spec/size', value: 9 }] as const;
    await house.memory.patch(PersistentVolumeClaim, { namespace: 'team', name: 'web' }, grown, somebody);
    size = 2;
    await settled();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Blocked')).toMatchObject({
      message: expect.stringContaining(
        'was changed by somebody and is immutable: revert that change, or delete the PersistentVolumeClaim, which deletes',
      ),
    });
    expect(house.seen.removals).toEqual([]);
  });

  test('R20 that a finalizer holds is recreated after its deletion', async () => {
    const house = open({ recreate: true });
    await house.givenWidget(one('1'));
    await house.pass();
    await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
    await house.givenWidget(one('2'));
    expect(await house.pass()).toEqual(['remove ConfigMap team/web-a', 'apply Widget/status team/web']);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'ObjectTerminating',
    });
    expect(await house.pass()).toEqual([]);
    await house.given(ConfigMap, configMap('web-a', { finalizers: [] }));
    expect(await house.pass()).toEqual(['create ConfigMap team/web-a', 'apply Widget/status team/web']);
  });

  test('R20 that another client has changed since is not deleted', async () => {
    const edited = (cluster: Cluster) => ({
      ...cluster,
      remove: async (...args: Parameters<Cluster['remove']>) => {
        const patch = [{ op: 'add', path: '/data/theirs', value: '1' }] as const;
        await cluster.patch(ConfigMap, args[1], patch, somebody);
        return cluster.remove(...args);
      },
    });
    const house = open({ recreate: true, faults: edited });
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget(one('2'));
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { fixed: '1', theirs: '1' } });
  });

  test('R20 is not deleted for a wish that no new object could have either', async () => {
    const house = open({ recreate: true });
    await house.givenWidget(one('1'));
    await house.pass();
    await house.givenWidget({ maps: { a: { fixed: '2', size: 'wrong' } } });
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Invalid' });
    expect(house.seen.removals).toEqual([]);
  });

  test('R20 is recreated by the next process if one dies after the deletion', async () => {
    for (const isCarriedOut of [false, true]) {
      const house = open({ recreate: true });
      await house.givenWidget(one('1'));
      await house.pass();
      await house.givenWidget(one('2'));
      house.place = {
        ...house.place,
        cluster: strict(cutCluster(house.memory, { write: 1, isCarriedOut }), house.seen),
      };
      await expect(house.pass()).rejects.toThrow('the process crashed');
      house.place = { ...house.place, cluster: strict(house.memory, house.seen) };
      await house.pass();
      expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { fixed: '2' } });
      house.close();
    }
  });

  test('R20 is deleted after its pods when it is a workload', async () => {
    let app = 'old';
    const controller = widgetController({
      desire: (scope) => {
        const object = add(scope, 'apps/v1', 'Deployment', 'web', { spec: { selector: { matchLabels: { app } } } });
        allowRecreation(object);
      },
    });
    const house = open({ controller });
    await house.givenWidget();
    await house.pass();
    app = 'new';
    await house.pass();
    expect(house.seen.removals).toEqual(['Deployment Foreground']);
  });
});
