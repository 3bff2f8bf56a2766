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
  expect(await house.pass()).toEqual(['apply Widget/status team/web']);
  const said = { status: 'True', reason: 'FinalizerLeft' };
  for (const type of ['DeletionBlocked', 'Stalled'])
    expect(conditionOf(await house.widget(), type)).toMatchObject(said);
  expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'FinalizerLeft',
    message: expect.stringMatching(/^the finalizer reconstruct\.dev\/widget holds it, .* take it off$/),
  });
  expect((await house.events()).filter((event) => event.startsWith('Warning FinalizerLeft'))).toHaveLength(1);
  expect(await house.pass()).toEqual([]);
  expect((await house.widget()).metadata.finalizers).toEqual(finalizers);
});

it('R28 of a finalizer of somebody else nothing is said', async () => {
  house = new GivenHouse({ controller: widgetController() });
  await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
  await house.pass();
  await house.removed(widgetKind, 'web');
  expect(await house.pass()).toEqual([]);
});
