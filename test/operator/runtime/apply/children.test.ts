import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole, ConfigMap, Deployment, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { ReachHouse } from '../given/reach.js';
import { widget, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse();
});
afterEach(() => house.close());

const name = { namespace: 'team', name: 'web-a' };
const apply = 'apply ConfigMap team/web-a';
const status = 'apply Widget/status team/web';
const data = async () => (await house.read(ConfigMap, 'web-a'))['data'];
/** Somebody sets fields of the ConfigMap by server-side apply. */
const theirs = async (fields: Record<string, string>) => {
  await house.given(ConfigMap, configMap('web-a', { data: fields }));
};
const spec = (fields: Record<string, string>) => house.givenWidget({ maps: { a: fields } });

describe('scenarios of other runtimes, under the names that they have there', () => {
  // controller-runtime: pkg/controller/controllerutil; client-go: util/csaupgrade; Flux: pkg/ssa; JOSDK: dependent resources
  test.each([
    {
      name: 'CreateOrUpdate creates a new object if one does not exist',
      act: async () => {},
      writes: ['create ConfigMap team/web-a', status],
    },
    {
      name: 'CreateOrUpdate updates only changed objects',
      act: async () => {
        await house.pass();
      },
      writes: [],
    },
    {
      name: 'TestApply_NoOp',
      act: async () => {
        await house.pass();
        await spec({ size: '2' });
        await house.pass();
        house.restart();
      },
      writes: [],
    },
    {
      name: 'TestDiff_Removals',
      act: async () => {
        await spec({ size: '1', old: '1' });
        await house.pass();
        await spec({ size: '1' });
      },
      writes: ['patch ConfigMap team/web-a', apply, status],
      leaves: { size: '1' },
    },
    {
      name: 'TestHasDrifted_Metadata',
      act: async () => {
        await house.pass();
        const patch = [{ op: 'add', path: '/metadata/annotations/theirs', value: '1' }] as const;
        await house.memory.patch(ConfigMap, name, patch, somebody);
        await settled();
      },
      writes: [],
    },
    {
      name: 'TestUpgradeCSA: what a create stated is removed by the first apply that states it no more',
      act: async () => {
        await spec({ size: '1', old: '1' });
        await house.pass();
        await spec({ size: '2', new: '1' });
      },
      writes: ['patch ConfigMap team/web-a', apply, status],
      leaves: { size: '2', new: '1' },
    },
    {
      name: 'TestFindOwners: the entries of other managers stay as they are',
      act: async () => {
        await spec({ size: '1', old: '1' });
        await house.pass();
        await theirs({ theirs: '1' });
        await spec({ size: '1' });
      },
      writes: ['patch ConfigMap team/web-a', apply, status],
      leaves: { size: '1', theirs: '1' },
    },
    {
      name: 'DependentSSAMigrationIT: a field that both own stays when we state it no more',
      act: async () => {
        await spec({ size: '1', both: '1' });
        await house.pass();
        await theirs({ both: '1' });
        await spec({ size: '1' });
      },
      writes: ['patch ConfigMap team/web-a', apply, status],
      leaves: { size: '1', both: '1' },
    },
    {
      name: 'whoever changed a field that we state no more, before it was ours again, has it',
      act: async () => {
        await spec({ size: '1', old: '1', older: '1' });
        await house.pass();
        const patch = [{ op: 'replace', path: '/data/old', value: 'theirs' }] as const;
        await house.memory.patch(ConfigMap, name, patch, somebody);
        await spec({ size: '1' });
      },
      writes: ['patch ConfigMap team/web-a', apply, status],
      leaves: { size: '1', old: 'theirs' },
    },
    {
      name: 'TestApply_Force: a field that another manager applied is ours again',
      act: async () => {
        await house.pass();
        await theirs({ size: 'theirs' });
      },
      writes: [apply],
      leaves: { size: '1' },
    },
  ])('R18 $name', async ({ act, writes, leaves }) => {
    await spec({ size: '1' });
    await act();
    expect(await house.pass()).toEqual(writes);
    if (leaves) expect(await data()).toEqual(leaves);
    expect(await house.pass()).toEqual([]);
  });

  test('R22 TestErrors_ShouldPreventPrune', async () => {
    await spec({ size: '1' });
    await house.pass();
    house.place = { ...house.place, cluster: failing(house.memory, 'web-b') };
    await house.givenWidget({ maps: { b: {} } });
    await expect(house.pass()).rejects.toThrow('it says no');
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
  });

  test('R22 TestApply_ApplySetConflict', async () => {
    await house.given(widgetKind, widget('we', { maps: { 'b-a': {} } }));
    await house.pass('team/we');
    await house.given(widgetKind, widget('we-b', { maps: { a: {} } }));
    expect(await house.pass('team/we-b')).toEqual(['apply Widget/status team/we-b']);
    await house.givenWidget({ maps: {} });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/we-b-a']);
  });

  test('R22 TestApply_ApplySetConflict_SameOwner, TestPrune_ClusterScopedResource', async () => {
    house.close();
    const reach = new ReachHouse();
    house = reach;
    await reach.reaching({ roles: ['c'] });
    await house.pass();
    await reach.reaching({ roles: ['d'] });
    await house.pass();
    expect(await house.names(ClusterRole)).toEqual(['d']);
  });

  test('R19 TestApplyAllStaged_PartialFailure: its siblings are made, and nothing that comes after', async () => {
    house.place = { ...house.place, cluster: failing(house.memory, 'web-a') };
    await house.givenWidget({ maps: { a: {}, b: {}, c: {} }, workload: true });
    await expect(house.pass()).rejects.toThrow('it says no');
    expect(await house.names(ConfigMap)).toEqual(['team/web-b', 'team/web-c']);
    expect([...(await house.names(Service)), ...(await house.names(Deployment))]).toEqual([]);
    house.place = { ...house.place, cluster: house.memory };
    expect(await house.pass()).toEqual([
      'create ConfigMap team/web-a',
      'create Service team/web',
      'create Deployment team/web',
      'create HorizontalPodAutoscaler team/web',
      status,
    ]);
  });

  test('R19 all failures of one wave are reported together', async () => {
    house.place = { ...house.place, cluster: failing(house.memory, 'web-a', 'web-b') };
    await house.givenWidget({ maps: { a: {}, b: {}, c: {} } });
    await expect(house.pass()).rejects.toThrow('it says no to web-a; it says no to web-b');
  });
});

/** Makes no object of these names. */
function failing(cluster: Cluster, ...names: readonly string[]): Cluster {
  return {
    ...bound(cluster),
    create: async (kind, object, options) => {
      const { name } = object.metadata;
      if (names.includes(name)) throw new ApiError(`it says no to ${name}`, { code: 500, reason: 'InternalError' });
      return cluster.create(kind, object, options);
    },
  };
}
