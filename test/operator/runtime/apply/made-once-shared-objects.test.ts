import { afterEach, expect, test } from 'vitest';
import { crossNamespace, shared } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ClusterRole, ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controllerLabel } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { createOnly } from '../../../../operator/runtime/rendering/object-policies.js';
import { KubeObject } from '../../../../src/index.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());
const still = { conditions: {}, assess: () => ({ conditions: {} }) };

/** What three resources want together, of which each has had a pass. */
async function givenCommon(): Promise<void> {
  const controller = widgetController({
    ...still,
    owns: [shared(ConfigMap)],
    desire: (scope, { resource }) => {
      if ((resource as Widget).spec.maps) createOnly(add(scope, 'v1', 'ConfigMap', 'common', { data: { drawn: '1' } }));
    },
  });
  house = new GivenHouse({ controller });
  for (const name of ['one', 'two', 'three']) await house.given(widgetKind, widget(name));
  for (const name of ['one', 'two', 'three']) await house.pass(`team/${name}`);
}

test('what is shared and made once keeps all of its owners', async () => {
  await givenCommon();
  const owners = async () =>
    (await house.read(ConfigMap, 'common')).metadata.ownerReferences?.map(({ name }: { name: string }) => name);
  expect(await owners()).toEqual(['one', 'two', 'three']);
  for (const name of ['one', 'two', 'three']) expect(await house.pass(`team/${name}`)).toEqual([]);
});

test('what is shared and made once keeps an owner that comes while it gets its label back', async () => {
  await givenCommon();
  const name = { namespace: 'team', name: 'common' };
  await house.memory.patch(ConfigMap, name, [{ op: 'remove', path: '/metadata/labels' }], somebody);
  await settled();
  const { cluster } = house.place;
  const late = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'late', uid: 'late' };
  const patch: Cluster['patch'] = async (...args) => {
    await house.memory.patch(
      ConfigMap,
      name,
      [{ op: 'add', path: '/metadata/ownerReferences/-', value: late }],
      somebody,
    );
    return cluster.patch(...args);
  };
  house.place = { ...house.place, cluster: { ...bound(cluster), patch } };
  await expect(house.pass('team/one')).rejects.toMatchObject({ reason: 'Conflict' });
  house.place = { ...house.place, cluster };
  await house.pass('team/one');
  expect((await house.read(ConfigMap, 'common')).metadata).toMatchObject({
    labels: { [controllerLabel]: 'widget' },
    ownerReferences: [{ name: 'one' }, { name: 'two' }, { name: 'three' }, { name: 'late' }],
  });
});

test('what is shared and made once outlives all owners but the last', async () => {
  await givenCommon();
  for (const name of ['one', 'three']) {
    await house.given(widgetKind, widget(name, {}));
    await house.pass(`team/${name}`);
  }
  expect(await house.names(ConfigMap)).toEqual(['team/common']); // `two` wants it still
});

test.each([
  ['ClusterRole', 'rbac.authorization.k8s.io/v1', undefined],
  ['ConfigMap', 'v1', 'elsewhere'],
] as const)(
  'R17 a distant %s that is made once costs nothing once it is there, and stays as it is',
  async (kind, apiVersion, namespace) => {
    let draws = 0;
    const controller = widgetController({
      ...still,
      owns: [ClusterRole, crossNamespace(ConfigMap)],
      desire: (scope) => {
        const metadata = { name: 'drawn', ...(namespace && { namespace }) };
        const manifest = { apiVersion, kind, metadata, data: { drawn: String(++draws) } };
        createOnly(new KubeObject(scope, 'drawn', manifest));
      },
    });
    house = new GivenHouse({ controller });
    await house.givenWidget();
    await house.pass();
    expect(await house.pass()).toEqual([]);
  },
);
