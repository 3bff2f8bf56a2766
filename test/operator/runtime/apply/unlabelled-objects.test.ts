import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const parentKind = { ...widgetKind, kind: 'Parent', plural: 'parents' } as ObjectKind;
/** Makes a Widget of its name. */
const parent = widgetController({
  ...{ kind: parentKind, name: 'parent', owns: [widgetKind], conditions: {} },
  desire: ((scope, { resource }) => {
    add(scope, 'example.org/v1', 'Widget', resource.metadata.name, { spec: { maps: { a: {} } } });
  }) satisfies Controller['desire'],
  assess: () => ({ conditions: {} }),
} as object);

it('a resource that a person made is not lost where another controller wants its name', async () => {
  let deaf: Promise<void> | undefined;
  let hear = () => {};
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    watch: async function* (kind, query) {
      for await (const event of cluster.watch(kind, query)) {
        if (kind.kind === 'Widget') await deaf;
        yield event;
      }
    },
  });
  given = await new GivenOperator({ controllers: [parent, widgetController()], faults }).start();
  deaf = new Promise<void>((resolve) => (hear = resolve)); // the watch is a moment late
  await given.memory.apply(widgetKind, widget('web', { maps: { b: {} } }), { manager: 'somebody' });
  await given.given(parentKind, { ...widget('web'), kind: 'Parent' });
  deaf = undefined;
  hear();
  await settled();
  for (let minute = 0; minute < 60; minute++) {
    await given.clock.advance(60_000);
    given.memory.bookmark();
    await settled();
  }
  const made = (await given.memory.list(ConfigMap, {})).items.map(({ metadata }) => metadata.name);
  expect(made).toEqual(['web-b']);
});
