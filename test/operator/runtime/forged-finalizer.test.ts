import { afterEach, expect, it } from 'vitest';
import { GivenHouse } from './given-house.js';
import { conditionOf, widgetController, widgetKind } from './given-widgets.js';

const finalizers = ['reconstruct.dev/widget'];

let house: GivenHouse;
afterEach(() => house.close());

it('R33 R28 a finalizer in the name of a controller that undoes nothing is left to whoever set it', async () => {
  house = new GivenHouse({ controller: widgetController() });
  await house.givenWidget(undefined, { finalizers });
  // It has no right to write the resource itself, and needs none.
  expect(await house.pass()).toEqual(['create ConfigMap team/web-a', 'apply Widget/status team/web']);
  expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  await house.removed(widgetKind, 'web');
  expect(await house.pass()).toEqual([]);
  expect((await house.widget()).metadata.finalizers).toEqual(finalizers);
});
