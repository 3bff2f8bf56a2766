import { afterEach, expect, it } from 'vitest';
import type { Cluster } from '../../../operator/runtime/cluster.js';
import type { Controller } from '../../../operator/runtime/controller.js';
import { Deployment, HorizontalPodAutoscaler, type ObjectKind } from '../../../operator/runtime/kinds.js';
import { settled } from '../fake-clock.js';
import { bound } from './given-house.js';
import { GivenOperator } from './given-operator.js';
import { widget, widgetController, widgetKind } from './given-widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('a status at which only this judgement looked, and which moves while it is written, is told', async () => {
  let go: (() => void) | undefined;
  let hold = false;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      if (hold && options.subresource === 'status') {
        hold = false;
        const answer = await cluster.apply(kind, object, options);
        await new Promise<void>((resolve) => (go = resolve));
        return answer;
      }
      return cluster.apply(kind, object, options);
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
    resync: 3_600_000,
    faults,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  const status = async (kind: ObjectKind, apiVersion: string, content: object) => {
    await given.memory.apply(
      kind,
      { apiVersion, kind: kind.kind, metadata: { name: 'web', namespace: 'team' }, status: content } as never,
      { manager: 'kubernetes', subresource: 'status' },
    );
    await settled();
  };
  await given.clock.advance(10_000);
  hold = true;
  await status(Deployment, 'apps/v1', { readyReplicas: 1 });
  expect(go).toBeDefined();
  await status(HorizontalPodAutoscaler, 'autoscaling/v2', { currentReplicas: 3 });
  go?.();
  await given.clock.advance(600_000);
  expect((await given.widget())?.['status']).toMatchObject({ note: 'scaled 3' });
});
