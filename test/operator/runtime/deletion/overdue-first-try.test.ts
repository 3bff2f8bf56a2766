import { afterEach, expect, test } from 'vitest';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole, ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenHouse } from '../given/house.js';
import { add, type Widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

test('R28 what is to be undone elsewhere holds a resource whose spec was rejected', async () => {
  const controller = widgetController({
    finalizes: { external: () => true },
    desire: (_, { resource }) => {
      const { rejected } = (resource as Widget).spec;
      if (rejected) throw new RejectedError('NotPossible', rejected);
    },
  });
  house = new GivenHouse({ controller });
  await house.givenWidget({});
  await house.pass();
  await house.givenWidget({ rejected: 'no' });
  house.restart(); // it was edited while no operator ran: no accepted spec is known
  await house.removed(widgetKind, 'web');
  await house.pass();
  expect(await house.names(widgetKind)).toEqual(['team/web']);
});

test.each([false, true])(
  'R28 a deletion that was asked for while no operator ran is undone before it is given up (finalizes too: %s)',
  async (hasMaps) => {
    const controller = widgetController({
      owns: [ClusterRole, ConfigMap],
      finalizes: { deadline: 600_000, onDeadline: 'release' },
      conditions: {},
      assess: () => ({ conditions: {} }),
      desire: (scope, { resource }) => {
        if (resource.metadata.deletionTimestamp) return;
        add(scope, 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'c');
        if (hasMaps) add(scope, 'v1', 'ConfigMap', 'm');
      },
    });
    house = new GivenHouse({ controller });
    await house.givenWidget({});
    await house.pass();
    await house.removed(widgetKind, 'web');
    await house.clock.advance(900_000); // nobody looks
    for (let n = 0; n < 3; n++) await house.pass();
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.names(ClusterRole)).toEqual([]);
  },
);
