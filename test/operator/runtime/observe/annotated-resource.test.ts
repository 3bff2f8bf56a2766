import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('an annotation that a person adds to a resource is seen by a desire that looks at it', async () => {
  const desire: Controller['desire'] = (scope, { resource }) => {
    const mode = resource.metadata.annotations?.['example.org/mode'] ?? 'none';
    add(scope, 'v1', 'ConfigMap', 'web-a', { data: { mode } });
  };
  given = await new GivenOperator({ controllers: [widgetController({ owns: [ConfigMap], desire } as object)] }).start();
  await given.given(widgetKind, widget('web'));
  await given.clock.advance(60_000);
  await given.given(widgetKind, widget('web', undefined, { annotations: { 'example.org/mode': 'x' } }));
  await given.clock.advance(3_600_000);
  expect(await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' })).toMatchObject({
    data: { mode: 'x' },
  });
});
