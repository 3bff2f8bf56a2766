import { afterEach, expect, test } from 'vitest';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenHouse } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

test('R28 what an earlier version of the controller tied is left behind too, and the resource goes', async () => {
  house = new GivenHouse({ controller: widgetController({ owns: [ConfigMap], finalizes: true }) });
  await house.givenWidget();
  await house.pass();
  await house.removed(widgetKind, 'web');
  // A new version of the operator takes over, for which the kind is untied.
  const controller = widgetController({
    owns: [withoutOwnerReference(ConfigMap)],
    finalizes: true,
    retains: () => true,
  });
  house.place = { ...house.place, controller };
  for (let n = 0; n < 3; n++) await house.pass().catch(() => undefined);
  expect(await house.names(widgetKind)).toEqual([]);
  const left = await house.read(ConfigMap, 'web-a');
  expect(left.metadata.ownerReferences ?? []).toEqual([]); // else the garbage collector takes it now
});
