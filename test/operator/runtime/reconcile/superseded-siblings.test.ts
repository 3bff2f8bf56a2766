import { afterEach, expect, it } from 'vitest';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { GivenHold } from '../given/hold.js';
import { bound } from '../given/house.js';
import { noter } from '../given/noter.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('R10 the status of what another controller made, which moves while a pass writes, is looked at', async () => {
  const hold = new GivenHold();
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      await hold.at(object.metadata.name === 'web-note');
      return cluster.apply(kind, object, options);
    },
  });
  given = await new GivenOperator({
    controllers: [widgetController({ statusFields: ['size'] } as object), noter],
    faults,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  await given.clock.advance(60_000);
  hold.arm();
  await given.status(Deployment, { readyReplicas: 1 }); // the noter writes 1, and the answer is slow
  expect(hold.hasHeld).toBe(true);
  await given.status(Deployment, { readyReplicas: 2 });
  hold.letGo();
  await given.clock.advance(3_600_000);
  const note = await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-note' });
  expect(note).toMatchObject({ data: { ready: '2' } });
});
