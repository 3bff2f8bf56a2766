import { afterEach, expect, test } from 'vitest';
import { ControllerRevision } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { conditionOf, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

test('R27 a rejected spec is told where nobody can judge what runs, and leaves nothing behind once it is mended', async () => {
  let isBroken = false;
  const assess = () => {
    if (isBroken) throw new TypeError('x is undefined');
    return { conditions: { Sized: { reason: 'Fits' } } };
  };
  given = await new GivenOperator({ controllers: [widgetController({ assess })] }).start();
  const good = widget('web', { maps: { a: {} } });
  await given.given(widgetKind, good);
  isBroken = true;
  await given.given(widgetKind, widget('web', { maps: {}, rejected: 'set size to 1 or more' }));
  await given.clock.advance(10_000);
  const both =
    'the spec is rejected (NotPossible: set size to 1 or more), and assess of controller widget failed: x is undefined';
  const says = async (type: string) => conditionOf(await given.widget(), type);
  expect(await says('Ready')).toMatchObject({ status: 'Unknown', reason: 'ReconcileFailed', message: both });
  expect(await says('Accepted')).toMatchObject({ status: 'False', reason: 'NotPossible', observedGeneration: 2 });
  expect(await says('Sized')).toMatchObject({ status: 'True', observedGeneration: 1 });
  const revisions = async () => (await given.memory.list(ControllerRevision, {})).items.length;
  expect(await revisions()).toBe(1);

  isBroken = false;
  await given.given(widgetKind, good);
  await given.clock.advance(60_000);
  expect(await says('Accepted')).toMatchObject({ status: 'True', observedGeneration: 3 });
  expect(await revisions()).toBe(0);
});
