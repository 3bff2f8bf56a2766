import { afterEach, describe, expect, it } from 'vitest';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { add, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const stages = ['a', 'b', 'c'] as const;

/** Wants the first stage, and each other once the one before it is there; of a deleted resource one less than there is. */
const staged = widgetController({
  finalizes: true,
  desire: (scope, { owned, resource }: Facts) => {
    const there = owned.of(ConfigMap).length;
    const wanted = resource.metadata.deletionTimestamp ? there - 1 : there + 1;
    for (const stage of stages.slice(0, Math.max(wanted, 0)))
      add(scope, 'v1', 'ConfigMap', `web-${stage}`, { data: {} });
  },
});

/** Writes of ConfigMaps, in order. */
const steps = () =>
  given.memory.writes.filter(({ kind }) => kind === 'ConfigMap').map(({ verb, key }) => `${verb} ${key}`);

describe('a controller that goes step by step, by what it has made itself', () => {
  it('R16 takes each step at once, and then rests', async () => {
    given = await new GivenOperator({ controllers: [staged] }).start();
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(10);
    expect(steps()).toEqual(stages.map((stage) => `create team/web-${stage}`));
    const passes = given.passes.length;
    await given.clock.advance(20_000);
    expect(given.passes.length).toBe(passes);
  });

  it('R16 R28 takes them back one by one at once when the resource is deleted', async () => {
    given = await new GivenOperator({ controllers: [staged] }).start();
    const resource = await given.given(widgetKind, widget('web'));
    await given.clock.advance(10);
    const { uid } = resource.metadata;
    await given.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid });
    await given.clock.advance(10);
    expect(steps().slice(stages.length)).toEqual(stages.toReversed().map((stage) => `remove team/web-${stage}`));
    expect(await given.widget()).toBeUndefined();
  });
});
