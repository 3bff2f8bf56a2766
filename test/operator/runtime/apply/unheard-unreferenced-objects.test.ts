import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutOwnerReference } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controllerOf } from '../../../../operator/runtime/kubernetes/object.js';
import { settled } from '../../fake-clock.js';
import { givenSuccession } from '../given/deaf.js';
import { GivenHouse } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

const controller = widgetController({ owns: [withoutOwnerReference(ConfigMap)], finalizes: true, name: 'widget' });

let leader: GivenHouse;
/** Takes over without having heard of the end of the Widget. */
let standby: GivenHouse;
beforeEach(async () => {
  const pair = await givenSuccession((props) => new GivenHouse({ controller, ...props }));
  ({ leader, standby } = pair);
  await leader.givenWidget();
  await leader.pass();
  await settled();
  pair.deafness.begin(widgetKind);
  await leader.removed(widgetKind, 'web');
  await leader.pass();
});
afterEach(() => {
  leader.close();
  standby.close();
});

test('R28 no object without an owner reference is created for a deleted resource', async () => {
  await settled();
  await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  expect(await standby.names(ConfigMap)).toEqual([]);
});

test('R28 nothing untied is taken from the resource that has the name of one that is gone', async () => {
  const { metadata } = await leader.givenWidget();
  await leader.pass();
  await settled();
  await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  expect(controllerOf(await leader.read(ConfigMap, 'web-a'))?.uid).toBe(metadata.uid);
});
