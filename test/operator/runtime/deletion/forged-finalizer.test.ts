import { afterEach, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse } from '../given/house.js';
import { conditionOf, widgetController, widgetKind } from '../given/widgets.js';

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
  const said = { status: 'True', reason: 'StaleFinalizer' };
  for (const type of ['DeletionBlocked', 'Stalled'])
    expect(conditionOf(await house.widget(), type)).toMatchObject(said);
  expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'StaleFinalizer',
    message: expect.stringMatching(/^Finalizer reconstruct\.dev\/widget blocks the deletion, .* remove the finalizer$/),
  });
  expect((await house.events()).filter((event) => event.startsWith('Warning StaleFinalizer'))).toHaveLength(1);
  expect(await house.pass()).toEqual([]);
  expect((await house.widget()).metadata.finalizers).toEqual(finalizers);
});

it('R28 R25 of a resource that it finds so, the controller sees the whole of what is owned', async () => {
  const seen: unknown[] = [];
  const controller = widgetController({
    assess: ({ owned }) => {
      seen.push(...owned.of(ConfigMap).map((map) => (map as { readonly data?: object }).data));
      return { conditions: { Sized: { reason: 'Fits' } } };
    },
  });
  const first = new GivenHouse({ controller });
  await first.givenWidget({ maps: { a: { size: '1' } } }, { finalizers });
  await first.pass();
  await first.removed(widgetKind, 'web');
  first.close();
  seen.length = 0;

  // The list of resources is late, so what they own is kept in part until then.
  let arrives = () => {};
  const late = new Promise<void>((resolve) => {
    arrives = resolve;
  });
  const hears = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    watch: async function* (kind, query) {
      if (kind.kind === widgetKind.kind) await late;
      yield* cluster.watch(kind, query);
    },
  });
  house = new GivenHouse({ controller, memory: first.memory, hears });
  await house.clock.advance(6_000);
  arrives();
  await settled();
  expect(await house.pass()).toEqual(['apply Widget/status team/web']);
  expect(seen).toEqual([{ size: '1' }]);
});

it('R28 R27 a spec that was rejected stays so while a finalizer that is left holds it', async () => {
  house = new GivenHouse({ controller: widgetController() });
  await house.givenWidget({ rejected: 'never' }, { finalizers });
  await house.pass();
  await house.removed(widgetKind, 'web');
  await house.pass();
  const said = async (type: string) => conditionOf(await house.widget(), type);
  expect(await said('Accepted')).toMatchObject({ status: 'False', reason: 'NotPossible', message: 'never' });
  expect(await said('DeletionBlocked')).toMatchObject({ status: 'True', reason: 'StaleFinalizer' });
});

it('R28 a foreign finalizer is not reported', async () => {
  house = new GivenHouse({ controller: widgetController() });
  await house.givenWidget(undefined, { finalizers: ['example.org/theirs'] });
  await house.pass();
  await house.removed(widgetKind, 'web');
  expect(await house.pass()).toEqual([]);
});
