import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('a resource that a controller makes of its own kind is looked at too', async () => {
  const desire = ((scope, { resource }) => {
    const { metadata, spec } = resource as Widget;
    if (spec.workload) add(scope, 'example.org/v1', 'Widget', `${metadata.name}-child`, { spec: {} });
    else add(scope, 'v1', 'ConfigMap', `${metadata.name}-a`, { data: {} });
  }) satisfies Controller['desire'];
  given = await new GivenOperator({
    controllers: [widgetController({ owns: [ConfigMap, widgetKind], desire } as object)],
  }).start();
  await given.given(widgetKind, widget('web', { workload: true }));
  await given.clock.advance(3_600_000);
  const made = (await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name);
  expect(made).toEqual(['web-child-a']);
});
