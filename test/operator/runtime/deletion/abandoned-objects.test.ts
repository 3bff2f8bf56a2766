import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClusterRole, ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { inventoryAnnotation } from '../../../../operator/runtime/ownership/inventory.js';
import { ReachHouse, reachingController } from '../given/reach.js';

let house: ReachHouse;
beforeEach(() => {
  house = new ReachHouse();
});
afterEach(() => house.close());

/** A later version of the controller, which owns no ConfigMaps elsewhere any more. */
function renewed(): void {
  const controller = { ...reachingController(), owns: [ClusterRole, Secret] };
  house.place = { ...house.place, controller };
}
const left = (names: string) =>
  `Warning Orphaned: Left objects that widget no longer owns: ${names}; delete those that are not needed`;

test('R22 what a kind has left behind that is not owned any more is named when it leaves the inventory', async () => {
  await house.reaching({ maps: ['other/a'], roles: ['b'] });
  await house.pass();
  renewed();
  await house.reaching({ roles: ['c'] });
  await house.pass();
  expect(await house.inventory()).toEqual({ 'ClusterRole.rbac.authorization.k8s.io': ['c'] });
  expect((await house.events()).toSorted()).toEqual([
    'Normal Created: Created ClusterRole b, Secret web-near, ConfigMap a',
    'Normal Created: Created ClusterRole c',
    'Normal Pruned: Deleted what is no longer desired by generation 2 of Widget web: ClusterRole b',
    left('ConfigMap other/a'),
  ]);
  expect(await house.names(ConfigMap)).toEqual(['other/a']);
});

test('R22 it is named too where the finalizer goes with it, and of many the first ones', async () => {
  await house.reaching({ maps: ['1', '2', '3', '4', '5', '6', '7'].map((name) => `other/${name}`) });
  await house.pass();
  renewed();
  await house.removeWidget();
  await house.pass();
  const five = ['1', '2', '3', '4', '5'].map((name) => `ConfigMap other/${name}`).join(', ');
  expect(await house.events()).toEqual([expect.stringMatching('Normal Created: '), left(`${five} and 2 more`)]);
});

test('R22 an invalid inventory names nothing', async () => {
  await house.reaching(
    { roles: ['b'] },
    { annotations: { [inventoryAnnotation]: '{"Pod":{"other":"a"},"Job":[{}]}' } },
  );
  await house.pass();
  expect(await house.events()).toEqual(['Normal Created: Created ClusterRole b, Secret web-near']);
});

test('R22 an invalid name in the inventory is shortened', async () => {
  const forged = JSON.stringify({ Pod: [`other/${'x'.repeat(100_000)}`] });
  await house.reaching({ roles: ['b'] }, { annotations: { [inventoryAnnotation]: forged } });
  const logged: string[] = [];
  const warn = (fields: object) => void logged.push((fields as { note: string }).note);
  const { telemetry } = house.place;
  house.place = { ...house.place, telemetry: { ...telemetry, log: { ...telemetry.log, warn } } };
  await house.pass();
  const [event = ''] = await house.events();
  expect(event).toMatch(/^Warning Orphaned: .*other\/xxx.*…; delete those that are not needed$/);
  expect(logged).toEqual([event.replace('Warning Orphaned: ', '')]);
});
