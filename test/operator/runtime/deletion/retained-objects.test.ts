import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Outcome } from '../../../../operator/runtime/controller/facts.js';
import { ConfigMap, crossNamespace } from '../../../../operator/runtime/index.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../given/operator.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const held = { finalizers: ['example.org/held'] };

/** Notes what is wanted, and what is not any more, with what is written on it. */
const assess = ({ owned, pruning }: Outcome) => {
  const names = owned.of(ConfigMap).map(({ metadata }) => metadata.name);
  const last = pruning.of(ConfigMap).map(({ metadata }) => `${metadata.name} ${metadata.annotations?.['said'] ?? ''}`);
  return { conditions: {}, status: { note: `wants ${names}, loses ${last}` } };
};

/** Maps of the resource's namespace, or of another. */
function noting(namespace: string): Controller {
  return widgetController({
    ...{ conditions: {}, assess },
    owns: [namespace === 'team' ? ConfigMap : crossNamespace(ConfigMap)],
    desire: (scope: Construct, { resource }: Pick<Outcome, 'resource'>) => {
      const there = new Chart(scope, 'there', { namespace });
      for (const end of Object.keys((resource as Widget).spec.maps ?? {}))
        add(there, 'v1', 'ConfigMap', `web-${end}`, { data: {} });
    },
  } as object);
}

const note = async () => (await given.widget())?.['status']?.note;

it.each(['team', 'elsewhere'])(
  'what is not wanted any more and still there is told apart, in %s',
  async (namespace) => {
    given = await new GivenOperator({ controllers: [noting(namespace)] }).start();
    await given.given(widgetKind, widget('web', { maps: { a: {}, b: {} } }));
    expect(await note()).toBe('wants web-a,web-b, loses ');
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-a', namespace } };
    const say = (metadata: object) => given.given(ConfigMap, { ...map, metadata: { ...map.metadata, ...metadata } });
    await say(held);
    await given.given(widgetKind, widget('web', { maps: { b: {} } }));
    expect(await note()).toBe('wants web-b, loses web-a ');
    await say({ ...held, annotations: { said: 'farewell' } });
    expect(await note(), 'what it says last is heard').toBe('wants web-b, loses web-a farewell');
    await say({});
    await settled();
    await given.clock.advance(10_000);
    expect(await given.memory.read(ConfigMap, map.metadata)).toBeUndefined();
    expect(await note()).toBe('wants web-b, loses ');
  },
);
