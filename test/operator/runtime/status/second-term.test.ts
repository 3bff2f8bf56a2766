import { afterEach, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { ControllerLoop } from '../../../../operator/runtime/reconcile/controller-loop.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse } from '../given/house.js';
import { widgetController } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

it('R27 never goes back behind a spec that another replica accepted between two terms of this one', async () => {
  house = new GivenHouse({ controller: widgetController() });
  const loop = new ControllerLoop(house.place, {
    maxConcurrentReconciles: 1,
    resyncPeriod: 30_000,
    reconcileTimeout: 120_000,
  });
  const term = async (act: () => Promise<unknown>) => {
    const finish = new AbortController();
    const run = loop.run(finish.signal, 1_000);
    await settled();
    await act();
    finish.abort();
    await run;
  };
  await term(() => house.givenWidget({ maps: { a: { size: '1' } } }));
  house.restart(); // the other one leads
  await house.givenWidget({ maps: { a: { size: '2' } } });
  await house.pass();
  await house.givenWidget({ maps: { a: { size: '3' } }, rejected: 'no' });
  await house.pass();
  await term(() => house.clock.advance(60_000)); // and this one again
  expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '2' } });
});
