import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { allowRecreation } from '../../../../operator/runtime/rendering/object-policies.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { add, type Widget, widgetController } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const controller = () =>
  widgetController({
    owns: [ConfigMap],
    desire: (scope, { resource }) => {
      const data = (resource as Widget).spec.maps?.['a'] ?? {};
      allowRecreation(add(scope, 'v1', 'ConfigMap', 'web-a', { data }));
    },
  });

test('R20 that somebody changed meanwhile is not deleted, though the watch has told of it', async () => {
  house = new GivenHouse({ controller: controller() });
  await house.givenWidget({ maps: { a: { fixed: '1' } } });
  await house.pass();
  const { uid } = (await house.read(ConfigMap, 'web-a')).metadata;
  await house.givenWidget({ maps: { a: { fixed: '2' } } });
  const { cluster } = house.place;
  house.place = {
    ...house.place,
    cluster: {
      ...bound(cluster),
      apply: async (kind, object, options) => {
        if (kind.kind !== 'ConfigMap') return cluster.apply(kind, object, options);
        // Another controller takes the object over while the change is on its way: the server refuses the change.
        const other = { apiVersion: 'example.org/v1', kind: 'Other', name: 'o', uid: 'o', controller: true };
        const taken = [{ op: 'add', path: '/metadata/ownerReferences', value: [other] }] as const;
        await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, taken, somebody);
        await settled();
        throw new ApiError('data.fixed is invalid', { code: 422, reason: 'Invalid', fields: ['data.fixed'] });
      },
    },
  };
  await house.pass().catch(() => undefined);
  expect((await house.read(ConfigMap, 'web-a')).metadata.uid).toBe(uid);
});
