import { beforeAll, describe, expect, test } from 'vitest';
import { crossNamespace } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ClusterRole, ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { freshNamespace } from '../../../given/control-plane.js';
import { configMap } from '../../../given.js';
import type { Reach } from '../given/reach.js';
import { reachingController } from '../given/reach.js';
import { givenRealHouse, somebody } from '../given/real-house.js';

const { desire } = reachingController();
const house = givenRealHouse({
  controller: () => ({
    owns: [crossNamespace(ConfigMap), ClusterRole, Secret],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire,
  }),
});

let other: string;
beforeAll(async () => {
  other = await freshNamespace(house().controlPlane, 'other');
});

/** Each test has a name of its own: what owner references reach goes later than its Widget. */
const bring = (name: string, reach: Reach) => house().apply(name, reach as object);
const role = () => `${house().namespace}-role`;
const there = async () => ({
  map: (await house().read(ConfigMap, 'far', other)) !== undefined,
  role: (await house().read(ClusterRole, role())) !== undefined,
});
const becomes = (wanted: { map: boolean; role: boolean }) => expect.poll(there, { timeout: 120_000 }).toEqual(wanted);
const remove = (name: string) =>
  house().kubectl(['delete', `widgets.${house().kind.group}`, name, '-n', house().namespace, '--timeout=120s']);

describe('on a real API server, objects that no owner reference reaches', () => {
  test('R22 are made, pruned, made again when they are deleted, and undone before their resource goes', async () => {
    await bring('web', { maps: [`${other}/far`], roles: [role()] });
    await becomes({ map: true, role: true });
    await bring('web', { roles: [role()] });
    await becomes({ map: false, role: true });
    await house().kubectl(['delete', 'clusterrole', role()]);
    await becomes({ map: false, role: true });
    await bring('web', { maps: [`${other}/far`], roles: [role()] });
    await becomes({ map: true, role: true });
    await remove('web');
    expect(await there()).toEqual({ map: false, role: false });
  });

  test('R22 let go of the resource when the last of them is gone', async () => {
    await bring('emptied', { roles: [role()] });
    await becomes({ map: false, role: true });
    await bring('emptied', { roles: [] });
    const held = async () => (await house().read(house().kind, 'emptied'))?.metadata.finalizers?.length ?? 0;
    await expect.poll(held, { timeout: 120_000 }).toBe(0);
    expect((await house().read(house().kind, 'emptied'))?.metadata.annotations ?? {}).not.toHaveProperty(
      inventoryAnnotation,
    );
    await remove('emptied');
  });

  test("R22 never are somebody else's, whatever the inventory says", async () => {
    await house().cluster.create(ConfigMap, configMap('theirs', { namespace: other }), somebody);
    const inventory = JSON.stringify({ ConfigMap: [`${other}/theirs`] });
    await house().apply('forging', { roles: [] } as object, { annotations: { [inventoryAnnotation]: inventory } });
    const listed = async () =>
      (await house().read(house().kind, 'forging'))?.metadata.annotations?.[inventoryAnnotation];
    await expect.poll(listed, { timeout: 120_000 }).toBeUndefined();
    await remove('forging');
    expect(await house().read(ConfigMap, 'theirs', other)).toBeDefined();
  });

  test('R23 are left to the resource that has them, which is named', async () => {
    await bring('first', { roles: [`${role()}-2`] });
    await house().until(async () => house().read(ClusterRole, `${role()}-2`));
    await bring('second', { roles: [`${role()}-2`] });
    await house().until(async () => (await house().condition('second', 'Conflicted')) === 'True NotOwned');
  });
});
