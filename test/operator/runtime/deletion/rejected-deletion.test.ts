import { afterEach, expect, test } from 'vitest';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { add, type Widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

test('R22 R27 R28 what no watch shows is not left behind by a resource whose spec was rejected', async () => {
  const controller = widgetController({
    owns: [ClusterRole],
    finalizes: true,
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const { spec, metadata } = resource as Widget;
      if (spec.rejected) throw new RejectedError('NotPossible', spec.rejected);
      if (!metadata.deletionTimestamp) add(scope, 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'c');
    },
  });
  house = new GivenHouse({ controller });
  await house.givenWidget({});
  await house.pass();
  // A user removes the label, or the watch has not sent the object.
  await house.memory.patch(ClusterRole, { name: 'c' }, [{ op: 'remove', path: '/metadata/labels' }], somebody);
  await settled();
  await house.givenWidget({ rejected: 'no' });
  house.restart(); // the spec was edited while no operator ran
  await house.removed(widgetKind, 'web');
  await house.pass();
  // Either it is gone, or the resource is still there, which lists it.
  const left = await house.names(ClusterRole);
  const resources = await house.names(widgetKind);
  expect({ left, resources }).not.toEqual({ left: ['c'], resources: [] });
});
