import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Job, type ObjectKind, optional } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('R8 controllers that need a kind are notified when it is installed later', async () => {
  let isInstalled = false;
  const error = new ApiError('it is not served', { code: 404, reason: 'NotFound' });
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    watch: (kind: ObjectKind, query) => {
      if (kind.kind === 'Job' && !isInstalled) throw error;
      return cluster.watch(kind, query);
    },
    list: async (kind, query) => {
      if (kind.kind === 'Job' && !isInstalled) throw error;
      return cluster.list(kind, query);
    },
  });
  const desire: Controller['desire'] = (scope, facts) => {
    add(scope, 'v1', 'ConfigMap', 'web-a', { data: { served: String(facts.isServed(Job)) } });
  };
  given = await new GivenOperator({
    controllers: [widgetController({ owns: [ConfigMap, optional(Job)], desire } as object)],
    faults,
  }).start();
  await given.given(widgetKind, widget('web'));
  const read = () => given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' });
  expect(await read()).toMatchObject({ data: { served: 'false' } });
  isInstalled = true;
  await given.clock.advance(3_600_000);
  expect(given.operator.watches.find(({ kind }) => kind.kind === 'Job')?.synced).toBe(true);
  expect(await read()).toMatchObject({ data: { served: 'true' } });
});
