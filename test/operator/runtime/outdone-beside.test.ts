import { afterEach, expect, it } from 'vitest';
import type { Cluster } from '../../../operator/runtime/cluster.js';
import type { Controller } from '../../../operator/runtime/controller.js';
import { ConfigMap, Deployment } from '../../../operator/runtime/kinds.js';
import { settled } from '../fake-clock.js';
import { bound } from './given-house.js';
import { GivenOperator } from './given-operator.js';
import { add, type Widget, widget, widgetController, widgetKind } from './given-widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const isWorking = (resource: object) => (resource as Widget).spec.workload === true;
const noter = widgetController({
  ...{ name: 'noter', concerns: isWorking, owns: [ConfigMap], sees: [Deployment], states: ['note'] },
  conditions: { Noted: { Done: ['True', 'it is noted'], Waiting: ['Unknown', 'nothing is there yet'] } },
  desire: ((scope, { resource, beside }) => {
    const ready = String(
      (beside.one(Deployment)?.status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0,
    );
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-note`, { data: { ready } });
  }) satisfies Controller['desire'],
  assess: () => ({ conditions: { Noted: { reason: 'Done' } } }),
} as object);

it('R10 the status of what another controller made, which moves while a pass writes, is looked at', async () => {
  let go: (() => void) | undefined;
  let hold = false;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      if (hold && object.metadata.name === 'web-note') {
        hold = false;
        await new Promise<void>((resolve) => (go = resolve));
      }
      return cluster.apply(kind, object, options);
    },
  });
  given = await new GivenOperator({
    controllers: [widgetController({ states: ['size'] } as object), noter],
    faults,
  }).start();
  await given.given(widgetKind, widget('web', { maps: {}, workload: true }));
  const status = async (readyReplicas: number) => {
    await given.memory.apply(
      Deployment,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'team' },
        status: { readyReplicas },
      } as never,
      { manager: 'kubernetes', subresource: 'status' },
    );
    await settled();
  };
  await given.clock.advance(60_000);
  hold = true;
  await status(1); // the noter writes 1, and the answer is slow
  expect(go).toBeDefined();
  await status(2);
  go?.();
  await given.clock.advance(3_600_000);
  const note = await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-note' });
  expect(note).toMatchObject({ data: { ready: '2' } });
});
