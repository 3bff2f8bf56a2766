import { afterEach, expect, it } from 'vitest';
import type { AppliedState } from '../../../../operator/runtime/memory/applied-state.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('nothing is kept of an object that never read back as it was written, once this process has removed it', async () => {
  // An admission webhook that spells a value out differently.
  const spelled = (object: object) =>
    'data' in object ? { ...object, data: { size: `0${(object.data as { size: string }).size}` } } : object;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (kind, object, options) => cluster.create(kind, spelled(object) as typeof object, options),
    apply: (kind, object, { whole: _, ...options }) => cluster.apply(kind, spelled(object) as typeof object, options),
  });
  given = await new GivenOperator({ controllers: [widgetController()], faults }).start();
  const forgotten: string[] = [];
  const noted = new Set<string>();
  const appliedState = given.operator.loops[0]?.context.appliedState as AppliedState;
  const [note, forget] = [appliedState.note.bind(appliedState), appliedState.forget.bind(appliedState)];
  appliedState.note = (answer, wish) => {
    noted.add(answer.metadata.uid);
    note(answer, wish);
  };
  appliedState.forget = (uid) => {
    forgotten.push(uid);
    forget(uid);
  };
  for (let round = 0; round < 5; round++) {
    await given.given(widgetKind, widget('web', { maps: { a: { size: '1' } } }));
    await given.clock.advance(40_000);
    await given.given(widgetKind, widget('web', { maps: { a: { size: '2' } } }));
    await given.clock.advance(40_000);
    await given.given(widgetKind, widget('web', { maps: {} }));
    await given.clock.advance(40_000);
  }
  expect(noted.size).toBeGreaterThan(0);
  expect([...noted].filter((uid) => !forgotten.includes(uid))).toEqual([]);
});
