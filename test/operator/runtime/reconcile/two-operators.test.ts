import type { Construct } from 'constructs';
import { expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenHouse } from '../given/house.js';
import { add, widgetController } from '../given/widgets.js';

test("R22 objects of another operator's controller of the kind are not pruned", async () => {
  const one = new GivenHouse({ controller: widgetController({ name: 'widget' }) });
  const other = new GivenHouse({
    memory: one.memory,
    controller: widgetController({
      name: 'report',
      secondaryFor: () => true,
      owns: [ConfigMap],
      conditions: {},
      statusFields: [],
      assess: () => ({ conditions: {} }),
      desire: (scope: Construct) => void add(scope, 'v1', 'ConfigMap', 'web-report'),
    } as never),
  });
  await one.givenWidget({ maps: { a: {} } });
  await other.pass();
  await one.pass();
  await other.pass();
  const left = await one.names(ConfigMap);
  one.close();
  other.close();
  expect(left).toEqual(['team/web-a', 'team/web-report']);
});
