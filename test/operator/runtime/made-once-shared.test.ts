import { afterEach, expect, test } from 'vitest';
import { distant } from '../../../operator/runtime/distant.js';
import { ClusterRole, ConfigMap } from '../../../operator/runtime/kinds.js';
import { makeOnce } from '../../../operator/runtime/made-once.js';
import { shared } from '../../../operator/runtime/shared.js';
import { KubeObject } from '../../../src/index.js';
import { GivenHouse } from './given-house.js';
import { add, type Widget, widget, widgetController, widgetKind } from './given-widgets.js';

let house: GivenHouse;
afterEach(() => house.close());
const still = { conditions: {}, assess: () => ({ conditions: {} }) };

/** What three resources want together, of which each has had a pass. */
async function givenCommon(): Promise<void> {
  const controller = widgetController({
    ...still,
    owns: [shared(ConfigMap)],
    desire: (scope, { resource }) => {
      if ((resource as Widget).spec.maps) makeOnce(add(scope, 'v1', 'ConfigMap', 'common', { data: { drawn: '1' } }));
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
      owns: [ClusterRole, distant(ConfigMap)],
      desire: (scope) => {
        const metadata = { name: 'drawn', ...(namespace && { namespace }) };
        const manifest = { apiVersion, kind, metadata, data: { drawn: String(++draws) } };
        makeOnce(new KubeObject(scope, 'drawn', manifest));
      },
    });
    house = new GivenHouse({ controller });
    await house.givenWidget();
    await house.pass();
    expect(await house.pass()).toEqual([]);
  },
);
