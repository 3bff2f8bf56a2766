import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenHouse, somebody } from '../given/house.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
const desire: Controller['desire'] = (scope, { resource }) => {
  const { replicas, paused } = (resource as unknown as { spec: { replicas?: number; paused?: boolean } }).spec;
  const spec = { ...(replicas && { replicas }), ...(paused !== undefined && { paused }), template: {} };
  add(scope, 'apps/v1', 'Deployment', resource.metadata.name, { spec });
};
beforeEach(() => {
  house = new GivenHouse({ controller: widgetController({ owns: [Deployment], desire } as object) });
});
afterEach(() => house.close());

const workload = async () =>
  (await house.find(Deployment, { namespace: 'team', name: 'web' })) as { spec?: { replicas?: number } } | undefined;

it.each([true, false])('an orphan (%s) keeps its number of replicas when that is stated no longer', async (orphan) => {
  await house.given(widgetKind, widget('web', { replicas: 3 } as never));
  await house.pass();
  await house.given(widgetKind, widget('web', { replicas: 3, paused: false } as never));
  await house.pass(); // its fields are those of an apply from now on
  if (orphan) {
    // kubectl delete --cascade=orphan, and made again
    await house.removed(widgetKind, 'web');
    await house.memory.patch(
      Deployment,
      { namespace: 'team', name: 'web' },
      [{ op: 'remove', path: '/metadata/ownerReferences' }],
      somebody,
    );
  }
  await house.given(widgetKind, widget('web', {} as never)); // an autoscaler is to say how many
  await house.pass();
  expect((await workload())?.spec?.replicas).toBe(3);
});
