import { afterEach, expect, it } from 'vitest';
import { ControllerRevision } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('no spec is kept of a resource that went while its spec was being kept', async () => {
  let go: (() => void) | undefined;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, object, options) => {
      const answer = await cluster.create(kind, object, options);
      if (kind.kind === ControllerRevision.kind) await new Promise<void>((resolve) => (go = resolve));
      return answer;
    },
  });
  given = await new GivenOperator({ controllers: [widgetController({ keepsRevisions: 'always' })], faults }).start();
  const { metadata } = await given.given(widgetKind, widget('web'));
  expect(go).toBeDefined();
  await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
  await settled();
  go?.();
  await given.clock.advance(600_000);
  expect(given.operator.loops[0]?.context.lastAcceptedSpecs.isKnown(metadata.uid)).toBe(false);
});
