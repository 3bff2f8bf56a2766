import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { Deployment, HorizontalPodAutoscaler } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { GivenHold } from '../given/hold.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('a status at which only this judgement looked, and which moves while it is written, is told', async () => {
  const hold = new GivenHold();
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      const answer = await cluster.apply(kind, object, options);
      await hold.at(options.subresource === 'status');
      return answer;
    },
  });
  const assess = (({ owned }) => {
    const workload = owned.one(Deployment)?.status as { readyReplicas?: number } | undefined;
    if (!workload?.readyReplicas)
      return { conditions: { Sized: { reason: 'TooSmall' } }, status: { note: 'no workload' } };
    // Only now it is asked for.
    const scaler = owned.one(HorizontalPodAutoscaler) as { status?: { currentReplicas?: number } } | undefined;
    return {
      conditions: { Sized: { reason: 'Fits' } },
      status: { note: `scaled ${scaler?.status?.currentReplicas ?? 0}` },
    };
  }) as Controller['assess'];
  given = await new GivenOperator({
    controllers: [widgetController({ assess } as object)],
    resyncPeriod: 3_600_000,
    faults,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  await given.clock.advance(10_000);
  hold.arm();
  await given.status(Deployment, { readyReplicas: 1 });
  expect(hold.hasHeld).toBe(true);
  await given.status(HorizontalPodAutoscaler, { currentReplicas: 3 });
  hold.letGo();
  await given.clock.advance(600_000);
  expect((await given.widget())?.['status']).toMatchObject({ note: 'scaled 3' });
});
