import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, ControllerRevision, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { GivenHold } from '../given/hold.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('the status of what is owned, which moves while an accepted spec is kept, is looked at', async () => {
  const hold = new GivenHold();
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, object, options) => {
      await hold.at(kind.kind === ControllerRevision.kind);
      return cluster.create(kind, object, options);
    },
  });
  const plain = widgetController();
  const desire: Controller['desire'] = (scope, facts) => {
    plain.desire(scope, facts);
    const ready = String(
      (facts.owned.one(Deployment)?.status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0,
    );
    add(scope, 'v1', 'ConfigMap', 'web-note', { data: { ready } });
  };
  given = await new GivenOperator({
    controllers: [widgetController({ desire, keepsRevisions: 'always' } as object)],
    faults,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  await given.status(Deployment, { readyReplicas: 1 });
  await given.clock.advance(60_000);
  hold.arm();
  await given.given(widgetKind, widget('web', { maps: { b: {} }, workload: true }));
  expect(hold.hasHeld).toBe(true);
  await given.status(Deployment, { readyReplicas: 2 });
  hold.letGo();
  await given.clock.advance(3_600_000);
  const note = await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-note' });
  expect(note).toMatchObject({ data: { ready: '2' } });
});
