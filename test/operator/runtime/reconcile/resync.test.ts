import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { type WidgetSpec, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

interface Row {
  /** Seconds; a twentieth less than is set, by the chance that the clock gives. */
  readonly after: number;
  readonly when: string;
  readonly controller?: Partial<Controller>;
  readonly spec?: WidgetSpec;
  /** Somebody else has the name of the ConfigMap. */
  readonly taken?: boolean;
  /** A foreign finalizer holds a ConfigMap that is no longer rendered. */
  readonly held?: boolean;
}

const { assess } = widgetController();

/** Takes a ConfigMap out of a spec that has it, and holds it. */
async function hold(): Promise<void> {
  await given.given(widgetKind, widget('web', { maps: { a: { size: '1' }, b: { size: '1' } } }));
  const held = [{ op: 'add', path: '/metadata/finalizers', value: ['example.org/hold'] }] as const;
  await given.memory.patch(ConfigMap, { namespace: 'team', name: 'web-b' }, held, { manager: 'somebody' });
  await settled();
}

describe('R17 an unchanged resource is reconciled again', () => {
  test.each<Row>([
    { after: 285, when: 'all is done' },
    { after: 285, when: 'its pods are on their way', spec: { workload: true } },
    { after: 28.5, when: 'its spec is rejected', spec: { rejected: 'no' } },
    { after: 28.5, when: 'somebody else has the name of an object', taken: true },
    { after: 28.5, when: 'an object does not go', held: true },
    {
      after: 28.5,
      when: 'what was found depends on the time',
      controller: { assess: (outcome) => ({ ...assess(outcome), status: { note: `${outcome.now.getFullYear()}` } }) },
    },
    {
      after: 7,
      when: 'the controller asks for that',
      controller: { assess: (outcome) => ({ ...assess(outcome), requeueAfter: 7_000 }) },
    },
  ])('after $after s when $when', async ({ after, controller = {}, spec, taken, held }) => {
    let looks = 0;
    const telemetry = { ...silent, reconcileStarted: () => void looks++ };
    given = new GivenOperator({ controllers: [widgetController(controller)], telemetry });
    if (taken) await given.given(ConfigMap, configMap('web-a', { data: { size: '9' } }));
    await given.start();
    if (held) await hold();
    await given.given(widgetKind, widget('web', spec));
    looks = 0;
    for (const times of [1, 2]) {
      await given.clock.advance(after * 1_000 - 2);
      expect(looks).toBe(times - 1);
      await given.clock.advance(3); // fractions add up
      expect(looks).toBe(times);
    }
  });
});
